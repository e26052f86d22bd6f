import type { Browser, BrowserContext } from '@playwright/test'
import type { Session } from 'electron'

type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>

/** Electron's names of some permissions, with Chromium's own. */
const permissions = [
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['clipboard-read', 'clipboard-read'],
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
] as const

/** A partition: cookies and permissions of its own. */
export class StandInSession {
  readonly context: Promise<BrowserContext>
  #check: CheckHandler | undefined
  #request: RequestHandler | undefined

  constructor(browser: Browser) {
    this.context = browser.newContext()
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler
  }

  setDevicePermissionHandler(): void {}

  /** Gives the pages of this origin what both handlers allow; Electron gives everything where there is none. */
  async applyPermissions(contents: object, origin: string): Promise<void> {
    const isAllowed = (name: (typeof permissions)[number][0]) => {
      let granted = this.#request === undefined
      const details = { requestingUrl: `${origin}/`, isMainFrame: true }
      this.#request?.(contents as never, name, (answer) => (granted = answer), details)
      return granted && (this.#check?.(null, name, origin, details) ?? true)
    }
    const allowed = permissions.filter(([name]) => isAllowed(name)).map(([, name]) => name)
    const context = await this.context
    await context.grantPermissions(allowed, { origin })
  }
}
