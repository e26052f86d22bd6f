import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { channels } from '../../../electron/channels.ts'
import { showPage } from '../../../electron/show-page.ts'

const dashboardUrl = 'http://localhost:7420/_sandbox/?token=secret'

function world({ url = 'http://localhost:7420/_sandbox/tokens', isLoading = false } = {}) {
  const contents = Object.assign(new EventEmitter(), {
    isLoading,
    mainFrame: { url },
    isLoadingMainFrame: () => contents.isLoading,
    send: vi.fn<(channel: string, path: string) => void>(),
  })
  const window = {
    webContents: contents as never,
    loadURL: vi.fn<() => Promise<void>>().mockResolvedValue(),
    isDestroyed: vi.fn<() => boolean>(() => false),
  }
  showPage(window, dashboardUrl, '/deliveries/one')
  return { contents, window }
}

describe('opening a page', () => {
  test('is done by a loaded dashboard', () => {
    const { contents, window } = world()
    expect(contents.send).toHaveBeenCalledWith(channels.goTo, '/deliveries/one')
    expect(window.loadURL).not.toHaveBeenCalled()
  })

  test('waits for a dashboard that is loading', () => {
    const { contents } = world({ isLoading: true })
    expect(contents.send).not.toHaveBeenCalled()
    contents.isLoading = false
    contents.emit('did-finish-load')
    expect(contents.send).toHaveBeenCalledOnce()
  })

  test('does not wait for another load that Electron never announces', () => {
    // Electron emits the event while it still calls the frame loading.
    const { contents } = world({ isLoading: true })
    contents.emit('did-finish-load')
    expect(contents.send).toHaveBeenCalledExactlyOnceWith(channels.goTo, '/deliveries/one')
  })

  test.each([
    'http://localhost:7420/login',
    'http://localhost:7421/_sandbox/',
    'chrome-error://chromewebdata/',
    '',
  ])('restores the dashboard if the window shows %j', async (url) => {
    const { contents, window } = world({ url })
    expect(window.loadURL).toHaveBeenCalledWith(dashboardUrl)
    await vi.waitFor(() => expect(contents.send).toHaveBeenCalledOnce())
  })

  test('ends with the window', async () => {
    const { contents, window } = world({ isLoading: true })
    window.isDestroyed.mockReturnValue(true)
    contents.isLoading = false
    contents.emit('did-finish-load')
    expect(contents.send).not.toHaveBeenCalled()
  })
})
