import type { IpcMainInvokeEvent } from 'electron'
import { channels } from './channels.ts'
import type { ElectronApi } from './electron-api.ts'
import { destinationOf } from './navigation.ts'

/** What a page may ask for. */
export interface PageRequests {
  /** Origin of the sandbox that the window with these contents shows; undefined when it is no window of ours. */
  originOf(contents: IpcMainInvokeEvent['sender']): string | undefined
  openFixtures(): Promise<void>
  openDropped(paths: readonly string[]): Promise<void>
  showDataFolder(): Promise<void>
}

/** Answers the bridge of the page, which has only what HTTP cannot do. */
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

/** Only the page of the window itself is listened to, and only while it is one of its sandbox. */
function requireDashboard({ senderFrame }: IpcMainInvokeEvent, origin: string | undefined): void {
  const isDashboard =
    origin !== undefined &&
    senderFrame?.parent === null &&
    destinationOf(senderFrame.url, origin) === 'window'
  if (!isDashboard) throw new Error('only the dashboard may ask for this')
}

function readPaths(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((path) => typeof path === 'string')) return value
  throw new TypeError('expected a list of paths')
}
