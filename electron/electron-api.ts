import type * as electron from 'electron'

/**
 * Parts of Electron that the app uses, injected because importing the npm package outside Electron searches for the
 * program and downloads it.
 */
export type ElectronApi = Pick<
  typeof electron,
  | 'app'
  | 'BrowserWindow'
  | 'clipboard'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'Notification'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
>
