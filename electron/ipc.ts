import type { IpcMainInvokeEvent } from 'electron'
import { channels } from './channels.ts'
import type { ElectronApi } from './electron-api.ts'
import { destinationOf } from './navigation.ts'

/** Native functions for a page. */
export interface PageRequests {
  /** Returns the origin of the sandbox in the window of these contents; undefined for other windows. */
  originOf(contents: IpcMainInvokeEvent['sender']): string | undefined
  openFixtures(): Promise<void>
  openDropped(paths: readonly string[]): Promise<void>
  showDataFolder(): Promise<void>
}

/** Handles the messages of the page's bridge, which covers only what HTTP cannot do. */
export function setupIpc({ ipcMain }: ElectronApi, requests: PageRequests): void {
  const handle = (channel: string, answer: (...args: unknown[]) => Promise<void>) =>
    ipcMain.handle(channel, async (event, ...args: unknown[]) => {
      requireDashboard(event, requests.originOf(event.sender))
      await answer(...args)
    })
  handle(channels.openFixtures, () => requests.openFixtures())
  handle(channels.showDataFolder, () => requests.showDataFolder())
  handle(channels.openDropped, (paths) => requests.openDropped(readPaths(paths)))
}

/** Accepts only the main frame of a window, and only while it shows its sandbox. */
function requireDashboard({ senderFrame }: IpcMainInvokeEvent, origin: string | undefined): void {
  const isDashboard =
    origin !== undefined &&
    senderFrame?.parent === null &&
    destinationOf(senderFrame.url, origin) === 'window'
  if (!isDashboard) throw new Error('only the dashboard may call this')
}

function readPaths(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((path) => typeof path === 'string')) return value
  throw new TypeError('expected a list of paths')
}
