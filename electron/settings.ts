import { isObject } from '../server/core/is-object.ts'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../server/core/background.ts'
import { own } from '../server/core/own.ts'
import { makeFolder } from '../server/store/make-folder.ts'
import { errorCode } from '../server/store/errors.ts'

/** Kinds of notifications. */
export const notices = ['failedDelivery', 'pendingDevice', 'suspendedWebhook'] as const
export type Notice = (typeof notices)[number]

/** Settings of the app. */
export interface DesktopSettings {
  /** Whether the sandbox keeps running after the last window is closed. */
  keepRunning: boolean
  /** Whether the user was informed about that. */
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
  /** Reason why the file was not used, as a sentence; the defaults apply then. */
  readonly problem: string | undefined
  change(changes: Partial<DesktopSettings>): void
  onChange(listener: () => void): void
}

/**
 * Opens the settings in the app's own folder. An unusable file is renamed, so that the next change does not
 * overwrite it.
 * @param report called if a change cannot be written; the change applies nevertheless
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
        report(`cannot save the settings: ${messageOf(error)}`)
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
    return `The default settings are used, and the file was renamed to ${aside}: ${why}`
  } catch {
    return `The default settings are used, and the next change overwrites ${file}: ${why}`
  }
}

/** Validates known settings; another version of the app may have more or fewer. */
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

/** Writes atomically: after a kill, the previous settings remain. */
function writeSettings(file: string, settings: DesktopSettings): void {
  makeFolder(dirname(file))
  writeFileSync(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}
