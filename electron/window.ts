import type { BrowserWindow, Rectangle, Session, WebContents } from 'electron'
import type { ElectronApi } from './electron-api.ts'
import { destinationOf, isAllowedPermission } from './navigation.ts'
import { smallestSize } from './window-state.ts'

export interface WindowOptions {
  /** URL to show; other origins are blocked. */
  address: string
  /** Cookies are shared between the ports of a host, so each sandbox has a partition of its own. */
  partition: string
  /** Added to the page's title, to tell windows apart. */
  label?: string
  bounds: Partial<Rectangle>
  maximized: boolean
  preload: string
  icon: string
}

/** Longest wait for the page before the window is shown without it. */
const readyMs = 2000

/** Opens a window on a sandbox and shows it when the page is ready. */
export function openWindow(electron: ElectronApi, options: WindowOptions): BrowserWindow {
  const { address, partition, label, bounds, maximized, preload, icon } = options
  const { origin } = new URL(address)
  const session = electron.session.fromPartition(partition)
  refusePermissions(session, origin)

  const window = new electron.BrowserWindow({
    ...bounds,
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: 'hub-sandbox',
    icon,
    show: false,
    webPreferences: {
      session,
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  })
  const openOutside = (url: string) => void electron.shell.openExternal(url)
  keepInside(window.webContents, origin, openOutside)
  if (label !== undefined) {
    window.on('page-title-updated', (event, title) => {
      event.preventDefault()
      window.setTitle(`${title} · ${label}`)
    })
  }
  let isShown = false
  const show = () => {
    clearTimeout(late)
    if (isShown || window.isDestroyed()) return
    isShown = true
    if (maximized) window.maximize()
    window.show()
  }
  const late = setTimeout(show, readyMs)
  window.once('ready-to-show', show)
  // Chromium shows its own page for a failed load.
  window.loadURL(address).catch(show)
  return window
}

/** Keeps a window on one origin, whatever its pages link to, redirect to or open. */
function keepInside(
  contents: WebContents,
  origin: string,
  openOutside: (url: string) => void,
): void {
  const decide = (details: { url: string; isMainFrame: boolean; preventDefault(): void }) => {
    const destination = destinationOf(details.url, origin)
    if (destination === 'window') return
    details.preventDefault()
    // Frames never open the browser.
    if (destination === 'browser' && details.isMainFrame) openOutside(details.url)
  }
  contents.on('will-frame-navigate', decide)
  contents.on('will-redirect', decide)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (destinationOf(url, origin) !== 'nowhere') openOutside(url)
    return { action: 'deny' }
  })
}

function refusePermissions(session: Session, origin: string): void {
  session.setPermissionRequestHandler((_contents, permission, respond, { requestingUrl }) =>
    respond(isAllowedPermission(permission, requestingUrl, origin)),
  )
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowedPermission(permission, requestingOrigin, origin),
  )
  session.setDevicePermissionHandler(() => false)
}
