// Owns the beginning: all files of the page are here, so it is drawn.
"use strict";
explorer.start();
