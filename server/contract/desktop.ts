/** Functions that the desktop app adds to the dashboard. */
export interface DesktopBridge {
  /** Lets the user choose a fixtures file and opens it in a window of its own. */
  openFixtures(): Promise<void>
  /** Shows the folder of the state in the file manager. */
  showDataFolder(): Promise<void>
  /**
   * Calls the listener with each page that the user opens from a menu, link or notification, including ones before the
   * call.
   * @param listener receives the path below `/_sandbox`; replaces the previous listener
   */
  onGoTo(listener: (path: string) => void): void
}

/** Name of the bridge on the page's `window`; absent in a browser. */
export const desktopBridgeName = 'hubSandboxDesktop'
