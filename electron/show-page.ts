import type { BrowserWindow } from 'electron'
import { channels } from './channels.ts'

/**
 * Shows a page of the dashboard in its window. A dashboard that is there already goes to it by itself, so that nothing
 * that is open besides is lost; a window that shows anything else is brought back first.
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
  if (contents.isLoadingMainFrame()) {
    contents.once('did-finish-load', () => showPage(window, dashboardUrl, path))
  } else if (isDashboard(contents.getURL(), dashboardUrl)) {
    send()
  } else {
    // A page that does not load shows why by itself.
    window.loadURL(dashboardUrl).then(send, () => undefined)
  }
}

function isDashboard(address: string, dashboardUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const shown = new URL(address)
  const dashboard = new URL(dashboardUrl)
  return shown.origin === dashboard.origin && shown.pathname.startsWith(dashboard.pathname)
}
