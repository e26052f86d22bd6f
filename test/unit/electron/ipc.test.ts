import type { IpcMainInvokeEvent } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import { channels } from '../../../electron/channels.ts'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { setupIpc } from '../../../electron/ipc.ts'

const origin = 'http://localhost:7420'
type Handler = (event: IpcMainInvokeEvent, ...args: unknown[]) => Promise<void>

function world() {
  const handlers = new Map<string, Handler>()
  const ours = {}
  const requests = {
    originOf: (contents: object) => (contents === ours ? origin : undefined),
    openFixtures: vi.fn<() => Promise<void>>().mockResolvedValue(),
    openDropped: vi.fn<(paths: readonly string[]) => Promise<void>>().mockResolvedValue(),
    showDataFolder: vi.fn<() => Promise<void>>().mockResolvedValue(),
  }
  const ipcMain = { handle: (name: string, handler: Handler) => handlers.set(name, handler) }
  setupIpc({ ipcMain } as unknown as ElectronApi, requests)
  const send = (channel: string, event: object, ...args: unknown[]) =>
    handlers.get(channel)?.(event as IpcMainInvokeEvent, ...args)
  return { requests, send, ours }
}

describe('messages of the page', () => {
  const dashboard = { url: `${origin}/_sandbox/`, parent: null }

  test('are answered on the dashboard', async () => {
    const { requests, send, ours } = world()
    await send(channels.openFixtures, { sender: ours, senderFrame: dashboard })
    expect(requests.openFixtures).toHaveBeenCalledOnce()
    await send(channels.openDropped, { sender: ours, senderFrame: dashboard }, ['/a.hubsandbox'])
    expect(requests.openDropped).toHaveBeenCalledWith(['/a.hubsandbox'])
    await send(channels.showDataFolder, { sender: ours, senderFrame: dashboard })
    expect(requests.showDataFolder).toHaveBeenCalledOnce()
  })

  test.each([
    ['a page elsewhere', { url: 'https://example.com/', parent: null }],
    ['another port', { url: 'http://localhost:7421/', parent: null }],
    ['a frame', { url: `${origin}/_sandbox/`, parent: dashboard }],
    ['a frame that is gone', null],
  ])('are refused from %s', async (_where, senderFrame) => {
    const { requests, send, ours } = world()
    await expect(send(channels.openFixtures, { sender: ours, senderFrame })).rejects.toThrow(
      'only the dashboard may call this',
    )
    expect(requests.openFixtures).not.toHaveBeenCalled()
  })

  test('are refused from a foreign window', async () => {
    const { send } = world()
    await expect(
      send(channels.showDataFolder, { sender: {}, senderFrame: dashboard }),
    ).rejects.toThrow('only the dashboard may call this')
  })

  test.each([[undefined], ['/a.hubsandbox'], [[1]]])('may not drop %j', async (paths) => {
    const { requests, send, ours } = world()
    await expect(
      send(channels.openDropped, { sender: ours, senderFrame: dashboard }, paths),
    ).rejects.toThrow('expected a list of paths')
    expect(requests.openDropped).not.toHaveBeenCalled()
  })
})
