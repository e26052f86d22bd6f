import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageBoxOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import { setupCrashes } from '../../../electron/crashes.ts'
import type { ElectronApi } from '../../../electron/electron-api.ts'
import { createLog } from '../../../electron/log.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** An app whose user presses these buttons; the last box stays open. */
function world(answers: number[] = [], { isReady = true } = {}) {
  const boxes: MessageBoxOptions[] = []
  const app = Object.assign(new EventEmitter(), {
    isReady: () => isReady,
    quit: vi.fn<() => void>(),
    exit: vi.fn<(code: number) => void>(),
    relaunch: vi.fn<() => void>(),
  })
  const dialog = {
    showErrorBox: vi.fn<(title: string, text: string) => void>(),
    showMessageBox: (options: MessageBoxOptions) => {
      boxes.push(options)
      const response = answers.shift()
      return response === undefined ? new Promise(() => undefined) : Promise.resolve({ response })
    },
  }
  const shell = { openPath: vi.fn<(path: string) => Promise<string>>().mockResolvedValue('') }
  const faults = new EventEmitter()
  const file = join(temporaryDirectory(), 'app/app.log')
  const log = createLog(file, () => 0)
  const close = vi.fn<() => Promise<void>>().mockResolvedValue()
  const report = vi.fn<(line: string) => void>(log.add)
  setupCrashes({ app, dialog, shell } as unknown as ElectronApi, { faults, log, report, close })
  return { app, dialog, shell, faults, file, close, report, boxes }
}

describe('an uncaught error', () => {
  test('restarts the app after everything is saved', async () => {
    const { app, faults, close } = world([0])
    faults.emit('uncaughtException', new Error('it broke'))
    await vi.waitFor(() => expect(app.exit).toHaveBeenCalledWith(0))
    expect(close).toHaveBeenCalledBefore(app.relaunch)
    expect(app.relaunch).toHaveBeenCalledBefore(app.exit)
  })

  test('restarts the app even if nothing can be saved', async () => {
    const { app, faults, close } = world([0])
    close.mockRejectedValue(new Error('the disk is full'))
    faults.emit('unhandledRejection', 'a text')
    await vi.waitFor(() => expect(app.relaunch).toHaveBeenCalled())
  })

  test('quits as usual if the user chooses that', async () => {
    const { app, faults, close } = world([2])
    faults.emit('uncaughtException', new Error('it broke'))
    await vi.waitFor(() => expect(app.quit).toHaveBeenCalled())
    expect(close).not.toHaveBeenCalled()
    expect(app.relaunch).not.toHaveBeenCalled()
  })

  test('shows one dialog, and all errors are in the log', async () => {
    const { faults, boxes, report } = world()
    for (const text of ['one', 'two', 'three']) faults.emit('uncaughtException', new Error(text))
    await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(3))
    expect(boxes).toHaveLength(1)
  })

  test('opens the log, and reports when that fails', async () => {
    const { faults, shell, file, boxes } = world([1, 1])
    shell.openPath.mockResolvedValueOnce('').mockResolvedValueOnce('no program opens it')
    faults.emit('uncaughtException', new Error('it broke'))
    await vi.waitFor(() => expect(boxes).toHaveLength(3))
    expect(shell.openPath).toHaveBeenCalledWith(file)
    expect(existsSync(file)).toBe(true)
    expect(boxes[1]?.detail).not.toContain('no program')
    expect(boxes[2]?.detail).toContain('no program opens it')
  })

  test('before the app is ready is shown in an error box', async () => {
    const { app, dialog, faults } = world([], { isReady: false })
    faults.emit('uncaughtException', new Error('too early'))
    await vi.waitFor(() => expect(app.exit).toHaveBeenCalledWith(1))
    expect(dialog.showErrorBox).toHaveBeenCalledWith('hub-sandbox could not start', 'too early')
  })

  test('of another Electron process is reported, and its normal exit is not', () => {
    const { app, report, boxes } = world()
    app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 7 })
    app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 })
    expect(report.mock.calls).toEqual([["Electron's GPU process: crashed, exit code 7"]])
    expect(boxes).toEqual([])
  })
})

describe('the log', () => {
  test('keeps the latest entries, each of limited length', () => {
    const log = createLog('unused', () => 0)
    for (let count = 0; count < 1500; count += 1) log.add(`entry ${count}`)
    log.add('x'.repeat(100_000))
    const lines = log.tail(5000).split('\n')
    expect(lines).toHaveLength(500)
    expect(lines.at(-2)).toBe('1970-01-01T00:00:00.000Z entry 1499')
    expect(lines.at(-1)).toHaveLength(200)
  })

  test('opens with the error, and names its file', () => {
    const file = join(temporaryDirectory(), 'app.log')
    const log = createLog(file, () => 0)
    log.add('it broke\n    at here\n    at there')
    log.add('and went on')
    expect(log.tail(2).split('\n')).toEqual([
      '1970-01-01T00:00:00.000Z it broke',
      '1970-01-01T00:00:00.000Z and went on',
    ])
    expect(readFileSync(log.write(), 'utf8')).toContain('    at there\n')
  })
})
