import { isObject } from '../server/core/is-object.ts'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../server/core/background.ts'
import { own } from '../server/core/own.ts'
import { makeFolder } from '../server/state/make-folder.ts'
import { errorCode } from '../server/state/errors.ts'

/** What the user can be notified of. */
export const notices = ['failedDelivery', 'pendingDevice', 'suspendedWebhook'] as const
export type Notice = (typeof notices)[number]

/** What the app itself remembers. */
export interface DesktopSettings {
  /** Whether the sandbox runs on when the last window is closed. */
  keepRunning: boolean
  /** Whether the user was told that it does. */
  saidKeepsRunning: boolean
  notify: Readonly<Record<Notice, boolean>>
}

export const defaultSettings: DesktopSettings = {
  keepRunning: true,
  saidKeepsRunning: false,
  notify: { failedDelivery: true, pendingDevice: true, suspendedWebhook: true },
}

export interface SettingsStore {
  readonly current: DesktopSettings
  /** Why the file was not taken, as a sentence; the settings are the defaults then. */
  readonly problem: string | undefined
  change(changes: Partial<DesktopSettings>): void
  onChange(listener: () => void): void
}

/**
 * Opens the settings in the app's own folder. A file that cannot be taken is put aside, so that the next change does not
 * overwrite what its user may want back.
 * @param report told when a change could not be written; it is in force all the same
 */
export function openSettings(file: string, report: (line: string) => void): SettingsStore {
  const { settings, problem } = readSettings(file)
  const listeners: (() => void)[] = []
  let current = settings
  return {
    get current() {
      return current
    },
    problem,
    change(changes) {
      current = { ...current, ...changes }
      try {
        writeSettings(file, current)
      } catch (error) {
        report(`the settings could not be kept: ${messageOf(error)}`)
      }
      for (const listener of listeners) listener()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

function readSettings(file: string): { settings: DesktopSettings; problem: string | undefined } {
  try {
    return { settings: checkSettings(JSON.parse(readFileSync(file, 'utf8'))), problem: undefined }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { settings: defaultSettings, problem: undefined }
    return { settings: defaultSettings, problem: putAside(file, messageOf(error)) }
  }
}

function putAside(file: string, why: string): string {
  const aside = file.replace(/\.json$/, '.damaged.json')
  try {
    renameSync(file, aside)
    return `The defaults are in force, and the file is now ${aside}: ${why}`
  } catch {
    return `The defaults are in force, and ${file} is overwritten by the next change: ${why}`
  }
}

/** Of an older or newer version of the app something may be missing or unknown; what is there must be what it says. */
function checkSettings(value: unknown): DesktopSettings {
  const given = asObject(value, 'the settings')
  const notify = asObject(given['notify'] ?? {}, 'notify')
  const flag = (object: Record<string, unknown>, key: string, usual: boolean): boolean => {
    const found = own(object, key) ?? usual
    if (typeof found === 'boolean') return found
    throw new TypeError(`${key} must be true or false`)
  }
  return {
    keepRunning: flag(given, 'keepRunning', defaultSettings.keepRunning),
    saidKeepsRunning: flag(given, 'saidKeepsRunning', defaultSettings.saidKeepsRunning),
    notify: {
      failedDelivery: flag(notify, 'failedDelivery', true),
      pendingDevice: flag(notify, 'pendingDevice', true),
      suspendedWebhook: flag(notify, 'suspendedWebhook', true),
    },
  }
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw new TypeError(`${name} must be an object`)
}

/** Whole or not at all: a start that is killed meanwhile leaves the settings of before. */
function writeSettings(file: string, settings: DesktopSettings): void {
  makeFolder(dirname(file))
  writeFileSync(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}
