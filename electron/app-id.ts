/** App id of the system; on Windows it connects notifications with the shortcut. */
export const appId = 'io.github.hub-sandbox'
