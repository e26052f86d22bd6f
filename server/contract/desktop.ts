/** What the desktop app adds to the dashboard: needs that only the system can meet. */
export interface DesktopBridge {
  /** Lets the user choose a fixtures file and opens it in a window of its own. */
  openFixtures(): Promise<void>
  /** Shows the folder of the state in the file manager. */
  showDataFolder(): Promise<void>
}

/** Where the bridge is found on the page's `window`; absent in a browser. */
export const desktopBridgeName = 'hubSandboxDesktop'
