import type * as electron from 'electron'

/**
 * What the app uses of Electron. It is handed in, since importing the npm package outside Electron looks for the
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
