import { desktopBridgeName, type DesktopBridge } from '../../server/contract/desktop.ts'

declare global {
  interface Window {
    [desktopBridgeName]?: DesktopBridge
  }
}

/** Bridge of the desktop app; `undefined` in a browser. */
export function desktopBridge(): DesktopBridge | undefined {
  return window[desktopBridgeName]
}
