// What `router` 2.3.0 does to Parse Server 9.10.0, on an install that has another version of it.
//
// Parse Server hands each item of a batch to PromiseRouter, which meets a changed class of `router` there
// and throws. Here it throws without it, so that the answer takes the server's own way: HTTP 500,
// {"code":1,"message":"Internal server error."}, after keys and session have been looked at.
const PromiseRouter = require.main.require('../lib/PromiseRouter').default;

PromiseRouter.prototype.tryRouteRequest = function () {
  throw new TypeError("Cannot read properties of undefined (reading 'handler')");
};

module.exports = (request, response, next) => next();
