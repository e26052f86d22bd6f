/** What the desktop app adds to the dashboard: needs that only the system can meet. */
export interface DesktopBridge {
  /** Lets the user choose a fixtures file and opens it in a window of its own. */
  openFixtures(): Promise<void>
  /** Shows the folder of the state in the file manager. */
  showDataFolder(): Promise<void>
  /**
   * Tells which page the user asked for in a menu, a link or a notification, also before anybody listened.
   * @param listener is given the path below `/_sandbox`; it takes the place of the one before
   */
  onGoTo(listener: (path: string) => void): void
}

/** Where the bridge is found on the page's `window`; absent in a browser. */
export const desktopBridgeName = 'hubSandboxDesktop'
