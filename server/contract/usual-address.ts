/** Where the command line and the desktop app listen, and clients look, when nothing else is said. */
export const usualPort = 7420
export const usualUrl = `http://localhost:${usualPort}`
