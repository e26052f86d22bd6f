import type { BrowserWindow } from 'electron'
import { channels } from './channels.ts'

/**
 * Shows a page of the dashboard in its window. A loaded dashboard navigates itself, so that other
 * open parts are kept; a window with any other page is reloaded first.
 * @param path below `/_sandbox`
 */
export function showPage(
  window: Pick<BrowserWindow, 'isDestroyed' | 'loadURL' | 'webContents'>,
  dashboardUrl: string,
  path: string,
): void {
  const { webContents: contents } = window
  const send = () => {
    if (!window.isDestroyed()) contents.send(channels.goTo, path)
  }
  const show = () => {
    if (window.isDestroyed()) return
    // The URL of the window is still that of the dashboard when Chromium shows its own page for a failed load.
    if (isDashboard(contents.mainFrame.url, dashboardUrl)) send()
    else window.loadURL(dashboardUrl).then(send, () => undefined)
  }
  // Electron still calls the frame loading while it emits the event.
  if (contents.isLoadingMainFrame()) contents.once('did-finish-load', show)
  else show()
}

function isDashboard(address: string, dashboardUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const shown = new URL(address)
  const dashboard = new URL(dashboardUrl)
  return shown.origin === dashboard.origin && shown.pathname.startsWith(dashboard.pathname)
}
