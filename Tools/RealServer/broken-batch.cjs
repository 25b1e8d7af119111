// Imitates the effect of `router` 2.3.0 on Parse Server 9.10.0 in an install with another version of it.
//
// Parse Server passes each item of a batch to PromiseRouter, which throws because a class of `router` changed.
// This file lets the same place throw, so that the server makes the same answer, after it has checked keys
// and session: HTTP 500, {"code":1,"message":"Internal server error."}.
const PromiseRouter = require.main.require('../lib/PromiseRouter').default;

PromiseRouter.prototype.tryRouteRequest = function () {
  throw new TypeError("Cannot read properties of undefined (reading 'handler')");
};

module.exports = (request, response, next) => next();
