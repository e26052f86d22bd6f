import { EventEmitter } from 'node:events'
import type { StandInWindow } from './window.ts'

/** An event that can be prevented, as Electron hands out. */
export function createEvent() {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true
    },
  }
}

/** The life of the app, in Electron's order: `before-quit`, the windows close, `will-quit`, the end. */
export class StandInApp extends EventEmitter {
  readonly windows: StandInWindow[] = []
  /** The exit code, once the app has ended. */
  readonly exited: Promise<number>
  readonly #paths = new Map<string, string>()
  readonly #hasLock: boolean
  #end: (code: number) => void = () => undefined
  #isQuitting = false

  constructor({ appData, hasLock }: { appData: string; hasLock: boolean }) {
    super()
    this.#paths.set('appData', appData)
    this.#hasLock = hasLock
    this.exited = new Promise((resolve) => (this.#end = resolve))
  }

  setName(): void {}

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (path === undefined) throw new Error(`no path is set for ${name}`)
    return path
  }

  /** Data that a second start passes to the running instance. */
  handed: unknown

  requestSingleInstanceLock(handed: unknown): boolean {
    this.handed = handed
    return this.#hasLock
  }

  readonly isPackaged = false

  isReady(): boolean {
    return true
  }

  /** Whether another start follows the end of this one. */
  isRelaunched = false

  relaunch(): void {
    this.isRelaunched = true
  }

  async whenReady(): Promise<void> {}

  quit(): void {
    this.#isQuitting = true
    this.emit('before-quit', createEvent())
    for (const window of this.windows.slice()) window.close()
    const event = createEvent()
    this.emit('will-quit', event)
    if (!event.defaultPrevented) this.exit(0)
  }

  exit(code: number): void {
    this.#end(code)
  }

  forget(window: StandInWindow): void {
    this.windows.splice(this.windows.indexOf(window), 1)
    // Electron leaves it out when it was told to quit.
    if (this.windows.length === 0 && !this.#isQuitting) this.emit('window-all-closed')
  }
}
