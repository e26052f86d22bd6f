import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { defaultSettings, openSettings } from '../../../electron/settings.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

function world(text?: string) {
  const folder = join(temporaryDirectory(), 'app')
  const file = join(folder, 'settings.json')
  if (text !== undefined) {
    mkdirSync(folder)
    writeFileSync(file, text)
  }
  const report = vi.fn<(line: string) => void>()
  return { folder, file, report, open: () => openSettings(file, report) }
}

describe('the settings of the app', () => {
  test('are the defaults at first, without a problem', () => {
    const { file, open } = world()
    expect(open()).toMatchObject({ current: defaultSettings, problem: undefined })
    expect(existsSync(file)).toBe(false)
  })

  test('are restored at the next start', () => {
    const { open } = world()
    const settings = open()
    const listener = vi.fn<() => void>()
    settings.onChange(listener)
    settings.change({
      keepRunning: false,
      notify: { ...settings.current.notify, pendingDevice: false },
    })
    expect(listener).toHaveBeenCalledOnce()
    expect(open().current).toEqual({
      keepRunning: false,
      saidKeepsRunning: false,
      notify: { failedDelivery: true, pendingDevice: false, suspendedWebhook: true },
    })
  })

  test('of another version of the app are used as far as known', () => {
    const { open } = world('{"keepRunning":false,"theme":"dark","notify":{"birthdays":true}}')
    expect(open()).toMatchObject({
      current: { ...defaultSettings, keepRunning: false },
      problem: undefined,
    })
  })

  test.each([
    ['', /JSON/],
    ['{"keepRunning": tr', /JSON/],
    ['null', /must be an object/],
    ['[]', /must be an object/],
    ['{"keepRunning":"yes"}', /keepRunning must be true or false/],
    ['{"notify":[]}', /notify must be an object/],
    ['{"notify":{"pendingDevice":1}}', /pendingDevice must be true or false/],
  ])('that are %j are moved aside and reported', (text, why) => {
    const { folder, open } = world(text)
    const settings = open()
    expect(settings.current).toEqual(defaultSettings)
    expect(settings.problem).toMatch(why)
    const aside = join(folder, 'settings.damaged.json')
    expect(settings.problem).toContain(aside)
    expect(readFileSync(aside, 'utf8')).toBe(text)
    // Said once: the next start has nothing to say.
    expect(open().problem).toBeUndefined()
  })

  test('apply even if they cannot be written', () => {
    const { folder, report, open } = world()
    writeFileSync(folder, 'a file in the place of the folder')
    const settings = open()
    settings.change({ keepRunning: false })
    expect(settings.current.keepRunning).toBe(false)
    expect(report).toHaveBeenCalledWith(expect.stringContaining('cannot save'))
  })
})
