/** `User-Agent` of requests by which the sandbox plays an app, such as in demos. The checks leave them out. */
export const ownAgent = 'hub-sandbox'
