/** What the app is to the system; on Windows its notifications and its shortcut belong together by it. */
export const appId = 'io.github.hub-sandbox'
