// libwebsockets, and the room that it wants before a message, which is a macro that Swift cannot import.
#pragma once
#include <libwebsockets.h>

static const int ferry_lws_room_before_message = LWS_PRE;
