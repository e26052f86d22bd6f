/** Default port of the command line, the desktop app and clients. */
export const usualPort = 7420
export const usualUrl = `http://localhost:${usualPort}`
