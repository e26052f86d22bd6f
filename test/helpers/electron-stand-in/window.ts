import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { CDPSession, Frame, Page } from '@playwright/test'
import type {
  BrowserWindowConstructorOptions,
  Rectangle,
  WindowOpenHandlerResponse,
} from 'electron'
import { createEvent, type StandInApp } from './app.ts'
import type { StandInSession } from './session.ts'

export type IpcHandlers = Map<string, (event: object, ...args: unknown[]) => unknown>

interface World {
  app: StandInApp
  ipc: IpcHandlers
}

/**
 * What the preload script gets from `require('electron')`; Chromium's page has no world of its own for it. A test names
 * the paths of files in `standInPaths`.
 */
const preloadElectron = `{
  contextBridge: { exposeInMainWorld: (name, bridge) => { window[name] = bridge } },
  ipcRenderer: {
    invoke: (...message) => window.standInInvoke(...message),
    on: (channel, listener) => { (window.standInListeners ??= {})[channel] = listener },
  },
  webUtils: { getPathForFile: (file) => window.standInPaths?.[file.name] ?? '' },
}`

/** The contents of a window: a page of Chromium, whose navigations are announced as Electron announces them. */
class StandInContents extends EventEmitter {
  #openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | undefined
  #isOwnLoad = false
  #isDestroyed = false
  #isLoading = false
  #page: Page | undefined

  getURL(): string {
    return this.#page?.url() ?? ''
  }

  get mainFrame(): { url: string } {
    return { url: this.getURL() }
  }

  isLoadingMainFrame(): boolean {
    return this.#isLoading
  }

  reload(): void {
    if (this.#page !== undefined) this.whileOpen(this.#page.reload())
  }

  /** Destroys the page at once and emits the event, as Electron does. */
  forcefullyCrashRenderer(): void {
    this.emit('render-process-gone', createEvent(), { reason: 'killed', exitCode: 9 })
  }

  /** A message for the listener of the preload script. */
  send(channel: string, ...args: unknown[]): void {
    const message = JSON.stringify([{}, ...args])
    const script = `standInListeners[${JSON.stringify(channel)}](...${message})`
    if (this.#page !== undefined) this.whileOpen(this.#page.evaluate(script))
  }

  setWindowOpenHandler(handler: (details: { url: string }) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler
  }

  /** The next navigation is the program's, which Electron announces to nobody. */
  expectOwnLoad(): void {
    this.#isOwnLoad = true
    this.#isLoading = true
  }

  endOwnLoad({ isLoaded }: { isLoaded: boolean }): void {
    this.#isLoading = false
    if (isLoaded) this.emit('did-finish-load')
  }

  destroy(): void {
    this.#isDestroyed = true
  }

  /** Requests to a closed page get no response. */
  whileOpen(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#isDestroyed) throw error
    })
  }

  async attach(page: Page): Promise<void> {
    this.#page = page
    const cdp = await page.context().newCDPSession(page)
    const { frameTree } = await cdp.send('Page.getFrameTree')
    cdp.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
      const isRedirect = redirectedRequestId !== undefined
      const isMainFrame = frameId === frameTree.frame.id
      this.whileOpen(this.#answer(cdp, requestId, { url: request.url, isRedirect, isMainFrame }))
    })
    cdp.on('Page.windowOpen', ({ url }) => this.#openHandler?.({ url }))
    // Whatever the handler says, the stand-in opens no further window: the app never asks for one.
    page.on('popup', (popup) => this.whileOpen(popup.close()))
    await cdp.send('Page.enable')
    await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
  }

  async #answer(
    cdp: CDPSession,
    requestId: string,
    { url, isRedirect, isMainFrame }: { url: string; isRedirect: boolean; isMainFrame: boolean },
  ): Promise<void> {
    const event = Object.assign(createEvent(), { url, isMainFrame })
    if (isRedirect) this.emit('will-redirect', event)
    else if (this.#isOwnLoad) this.#isOwnLoad = false
    else this.emit('will-frame-navigate', event)

    if (!event.defaultPrevented) await cdp.send('Fetch.continueRequest', { requestId })
    else await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
  }
}

/** A window: a page of Chromium in the context of its session. */
export class StandInWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions
  readonly webContents = new StandInContents()
  /** The page, once its address is loaded; rejects when that failed or the window was closed before. */
  readonly loaded: Promise<Page>
  /** Resolves when the page of a closed window is gone. */
  readonly gone: Promise<void>
  bounds: Rectangle
  title: string
  isShown = false
  readonly #world: World
  readonly #session: StandInSession
  readonly #page: Promise<Page>
  #markLoaded: (page: Page | Promise<never>) => void = () => undefined
  #markGone: () => void = () => undefined
  #isDestroyed = false

  constructor(world: World, options: BrowserWindowConstructorOptions) {
    super()
    this.#world = world
    this.options = options
    const { x = 140, y = 90, width = 800, height = 600, title = '' } = options
    this.bounds = { x, y, width, height }
    this.title = title
    this.#session = options.webPreferences?.session as unknown as StandInSession
    this.loaded = new Promise((resolve) => (this.#markLoaded = resolve))
    // Not every test looks at every window.
    this.loaded.catch(() => undefined)
    this.gone = new Promise((resolve) => (this.#markGone = resolve))
    this.#page = this.#open()
    world.app.windows.push(this)
  }

  async #open(): Promise<Page> {
    const context = await this.#session.context
    const page = await context.newPage()
    const { width, height } = this.bounds
    await page.setViewportSize({ width, height })
    await page.exposeBinding('standInInvoke', ({ frame }, channel: string, ...args: unknown[]) =>
      this.#invoke(frame, channel, args),
    )
    const preload = readFileSync(this.options.webPreferences?.preload ?? '', 'utf8')
    await page.addInitScript(`((require) => {${preload}})(() => (${preloadElectron}))`)
    await this.webContents.attach(page)
    page.on('load', () => this.webContents.whileOpen(this.#updateTitle(page)))
    return page
  }

  async #invoke(frame: Frame, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#world.ipc.get(channel)
    if (handler === undefined) throw new Error(`nothing handles ${channel}`)
    const parent = frame.parentFrame() && {}
    const senderFrame = { url: frame.url(), parent }
    return handler({ sender: this.webContents, senderFrame }, ...args)
  }

  async #updateTitle(page: Page): Promise<void> {
    const title = await page.title()
    const event = createEvent()
    this.emit('page-title-updated', event, title)
    if (!event.defaultPrevented) this.title = title
  }

  async loadURL(url: string): Promise<void> {
    try {
      this.webContents.expectOwnLoad()
      const page = await this.#page
      await this.#session.applyPermissions(this.webContents, new URL(url).origin)
      // However long it takes: the test has a deadline of its own.
      await page.goto(url, { timeout: 0 })
      this.webContents.endOwnLoad({ isLoaded: true })
      this.emit('ready-to-show')
      this.#markLoaded(page)
    } catch (error) {
      this.webContents.endOwnLoad({ isLoaded: false })
      this.#markLoaded(Promise.reject(error))
      throw error
    }
  }

  close(): void {
    this.emit('close', createEvent())
    this.#isDestroyed = true
    this.webContents.destroy()
    void this.#closePage()
    this.emit('closed')
    this.#world.app.forget(this)
  }

  /** A page that is still being opened is closed once it is open. */
  async #closePage(): Promise<void> {
    try {
      const page = await this.#page
      await page.close()
    } finally {
      this.#markGone()
    }
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  /** The one in front is the one that was opened last. */
  isFocused(): boolean {
    return this.#world.app.windows.at(-1) === this
  }

  focus(): void {
    const { windows } = this.#world.app
    windows.push(...windows.splice(windows.indexOf(this), 1))
  }

  show(): void {
    this.isShown = true
  }

  setTitle(title: string): void {
    this.title = title
  }

  getNormalBounds(): Rectangle {
    return this.bounds
  }

  isMinimized(): boolean {
    return false
  }

  isMaximized(): boolean {
    return false
  }
}
