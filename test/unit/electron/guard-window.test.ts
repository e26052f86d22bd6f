import { EventEmitter } from 'node:events'
import type { MessageBoxOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { guardWindow } from '../../../electron/guard-window.ts'
import { createLog } from '../../../electron/log.ts'

function world(answers: number[] = []) {
  const boxes: MessageBoxOptions[] = []
  const contents = Object.assign(new EventEmitter(), {
    reload: vi.fn<() => void>(),
    forcefullyCrashRenderer: vi.fn<() => void>(() => crash('killed')),
  })
  const window = Object.assign(new EventEmitter(), {
    webContents: contents,
    isGone: false,
    isDestroyed: () => window.isGone,
    close: vi.fn<() => void>(),
  })
  const dialog = {
    showMessageBox: (options: MessageBoxOptions) => {
      boxes.push(options)
      const response = answers.shift()
      if (response !== undefined) return Promise.resolve({ response })
      return new Promise((resolve) => {
        options.signal?.addEventListener('abort', () => resolve({ response: options.cancelId }))
      })
    },
  }
  const crash = (reason: string) =>
    contents.emit('render-process-gone', {}, { reason, exitCode: 1 })
  guardWindow({ dialog, shell: {} } as unknown as ElectronApi, window as never, createLog('unused'))
  return { boxes, contents, window, crash, messages: () => boxes.map(({ message }) => message) }
}

describe('a window whose page has crashed', () => {
  test('is reloaded or closed, as the user chooses', async () => {
    const { contents, window, crash } = world([0, 2])
    crash('crashed')
    await vi.waitFor(() => expect(contents.reload).toHaveBeenCalledOnce())
    crash('crashed')
    await vi.waitFor(() => expect(window.close).toHaveBeenCalledOnce())
    expect(contents.reload).toHaveBeenCalledOnce()
  })

  test('explains known reasons, and shows an unknown one unchanged', async () => {
    const { boxes, crash } = world([2, 2])
    crash('oom')
    crash('brand-new')
    await vi.waitFor(() => expect(boxes).toHaveLength(2))
    expect(boxes[0]?.detail).toMatch(/^Its page ran out of memory\. The sandbox keeps running\./)
    expect(boxes[1]?.detail).toMatch(/^Its page ended \(brand-new\)\./)
  })

  test('is not reported after a normal exit', async () => {
    const { boxes, crash } = world([2])
    crash('clean-exit')
    crash('crashed')
    await vi.waitFor(() => expect(boxes).toHaveLength(1))
  })

  test('is left alone if it was closed meanwhile', async () => {
    const { contents, window, crash, boxes } = world([0])
    window.isGone = true
    crash('crashed')
    await vi.waitFor(() => expect(boxes).toHaveLength(1))
    expect(contents.reload).not.toHaveBeenCalled()
  })
})

describe('a window that does not respond', () => {
  test('shows one dialog until it responds, however often it is reported', async () => {
    const { boxes, contents, window } = world()
    for (let count = 0; count < 5; count += 1) window.emit('unresponsive')
    await vi.waitFor(() => expect(boxes).toHaveLength(1))
    window.emit('responsive')
    window.emit('unresponsive')
    await vi.waitFor(() => expect(boxes).toHaveLength(2))
    expect(contents.reload).not.toHaveBeenCalled()
  })

  test('shows no dialog if it responds before', async () => {
    const { boxes, window, crash } = world([2])
    window.emit('unresponsive')
    window.emit('responsive')
    crash('crashed')
    await vi.waitFor(() => expect(window.close).toHaveBeenCalled())
    expect(boxes).toHaveLength(1)
  })

  test('is stopped and reloaded, which is not reported as a crash', async () => {
    const { contents, window, messages } = world([0])
    window.emit('unresponsive')
    await vi.waitFor(() => expect(contents.reload).toHaveBeenCalledOnce())
    expect(contents.forcefullyCrashRenderer).toHaveBeenCalledBefore(contents.reload)
    expect(messages()).toEqual(['The window is not responding'])
  })

  test('that crashes is reported as crashed', async () => {
    const { window, crash, messages } = world()
    window.emit('unresponsive')
    await vi.waitFor(() => expect(messages()).toHaveLength(1))
    crash('crashed')
    await vi.waitFor(() => {
      expect(messages()).toEqual(['The window is not responding', 'The window stopped working'])
    })
  })
})
