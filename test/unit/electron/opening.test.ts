import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { setupOpening } from '../../../electron/opening.ts'
import { packSecondStart } from '../../../electron/second-start.ts'

function world({ restarts }: { restarts: boolean }) {
  const done: string[] = []
  const app = new EventEmitter()
  setupOpening(
    { app, BrowserWindow: { getAllWindows: () => [] }, dialog: {} } as unknown as ElectronApi,
    {
      showOwn: async () => void done.push('own'),
      openFile: async (path) => void done.push(path),
      goToOwn: async (path) => void done.push(path),
    },
    {
      platform: 'linux',
      report: (line) => void done.push(line),
      async heed({ port }) {
        done.push(`port ${port}`)
        return restarts
      },
      outlive: async () => undefined,
    },
  )
  const startAgain = (...args: string[]) =>
    app.emit('second-instance', {}, [], '/', packSecondStart({ argv: ['app', ...args], cwd: '/' }))
  return { done, startAgain }
}

describe('a second start with a link', () => {
  test('opens its page, then compares the options before it', async () => {
    const { done, startAgain } = world({ restarts: false })
    startAgain('--port', '7000', 'hub-sandbox://tokens', '--port', '1')
    await vi.waitFor(() => expect(done).toEqual(['/tokens', 'port 7000']))
  })

  test('opens its page again in the window of the restarted sandbox', async () => {
    const { done, startAgain } = world({ restarts: true })
    startAgain('--port=7000', 'hub-sandbox://tokens')
    await vi.waitFor(() => expect(done).toEqual(['/tokens', 'port 7000', '/tokens']))
  })
})
