import { type BrowserContext, expect as baseExpect, test as base } from '@playwright/test'
import { sandboxMatchers } from './client/matchers.ts'
import {
  checkPerTest,
  type PerTest,
  readyForTest,
  refuseOptions,
  refuseSharing,
} from './client/per-test.ts'
import { readOrigins } from './core/routed-origins.ts'
import { type HubProxy, openHubProxy } from './client/reroute/hub-proxy.ts'
import {
  connectSandbox,
  type DecidedDevice,
  type DeviceDecision,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from './index.ts'

export type { PerTest } from './client/per-test.ts'

/** Playwright's `expect`, which knows of a sandbox who signed in, and what was delivered. */
export const expect = baseExpect.extend(sandboxMatchers)

export interface SandboxFixtures {
  /** Options of the sandbox: `test.use({ sandboxOptions: { … } })`. Those with the same options share one. */
  sandboxOptions: SandboxOptions
  /** A sandbox that runs already, in place of one of the worker's own. Default: `HUB_SANDBOX_URL`, as `exec` sets it. */
  sandboxUrl: string | undefined
  /**
   * State at the start of each test: `reset` (the default) restores the fixtures of the worker's sandbox and keeps the
   * issuer; `fork` creates a fork for each test, with its own issuer; `keep` keeps the state of the previous test.
   */
  sandboxPerTest: PerTest
  /** The sandbox of the test. */
  sandbox: Sandbox
  /** Signs a fixture user in at the browser, so that the login page does not come up. */
  signInAs: (username: string, context?: BrowserContext) => Promise<void>
  /** Allows (or denies) what a device waits for. */
  approveDevice: (userCode: string, decision?: DeviceDecision) => Promise<DecidedDevice>
}

/** The proxy of a browser, as Playwright takes it. */
interface BrowserProxy {
  server: string
  bypass: string
}

export interface SandboxWorkerFixtures {
  /**
   * The worker's sandbox, for an app that is started once and must know its issuer:
   *
   *     const test = base.extend<object, { app: App }>({
   *       app: [async ({ workerSandbox }, use) => {
   *         const app = await startApp({ HF_ENDPOINT: (await workerSandbox()).url })
   *         await use(app)
   *         await app.close()
   *       }, { scope: 'worker' }],
   *     })
   *
   * @param options the `sandboxOptions` of the tests, and their `sandboxUrl`
   */
  workerSandbox: (options?: SandboxOptions, url?: string) => Promise<Sandbox>
  /** Proxy that routes a browser to the sandbox under the hub's host names, with `sandboxOptions.intercept` or `exec --intercept`. */
  hubProxy: (origins: readonly string[], sandbox: Sandbox) => Promise<BrowserProxy>
}

/** Origins that lead to the sandbox: those of its options, or of `exec`, whose sandbox it is then. */
function interceptedBy(options: SandboxOptions, url: string | undefined): readonly string[] {
  const ofRun = url === undefined ? undefined : process.env['HUB_SANDBOX_INTERCEPT']
  return [options.intercept ?? ofRun ?? []].flat().flatMap((text) => text.split(','))
}

/** Playwright's `test` with a sandbox that each test finds as new. */
export const test = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandboxUrl: [process.env['HUB_SANDBOX_URL'] || undefined, { option: true }],
  sandboxPerTest: ['reset', { option: true }],
  workerSandbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names off the pattern.
    async ({}, provide) => {
      const sandboxes = new Map<string, Promise<Sandbox>>()
      await provide((options = {}, url = process.env['HUB_SANDBOX_URL'] || undefined) => {
        if (url !== undefined) refuseOptions(url, options)
        const key = url ?? JSON.stringify(options)
        const sandbox =
          sandboxes.get(key) ?? (url === undefined ? startSandbox(options) : connectSandbox(url))
        sandboxes.set(key, sandbox)
        return sandbox
      })
      const started = await Promise.allSettled(sandboxes.values())
      for (const one of started) if (one.status === 'fulfilled') await one.value.close()
    },
    { scope: 'worker' },
  ],
  hubProxy: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names off the pattern.
    async ({}, provide) => {
      const proxies = new Map<string, Promise<HubProxy>>()
      await provide(async (names, { url, certificatePath }) => {
        const { origins } = readOrigins(names)
        const proxy = proxies.get(url) ?? openHubProxy({ origins, url, certificatePath })
        proxies.set(url, proxy)
        // The app under test is reached as ever.
        return { server: (await proxy).url, bypass: 'localhost,*.localhost,127.0.0.1,[::1]' }
      })
      for (const proxy of proxies.values()) await (await proxy).close()
    },
    { scope: 'worker' },
  ],
  proxy: async (
    { proxy, sandboxOptions, sandboxUrl, sandboxPerTest, workerSandbox, hubProxy },
    provide,
  ) => {
    const origins = interceptedBy(sandboxOptions, sandboxUrl)
    if (origins.length === 0) return provide(proxy)
    checkPerTest('sandboxPerTest', sandboxPerTest, origins)
    await provide(await hubProxy(origins, await workerSandbox(sandboxOptions, sandboxUrl)))
  },
  ignoreHTTPSErrors: async ({ ignoreHTTPSErrors, sandboxOptions, sandboxUrl }, provide) => {
    // Nothing but the sandbox and this machine is reached, and no browser takes a certificate for a context alone.
    const isLed = interceptedBy(sandboxOptions, sandboxUrl).length > 0
    await provide(isLed || ignoreHTTPSErrors)
  },
  sandbox: async ({ workerSandbox, sandboxOptions, sandboxUrl, sandboxPerTest }, provide, info) => {
    checkPerTest('sandboxPerTest', sandboxPerTest, interceptedBy(sandboxOptions, sandboxUrl))
    if (sandboxUrl !== undefined) {
      refuseSharing(sandboxUrl, sandboxPerTest, info.parallelIndex, 'workers: 1')
    }
    const shared = await workerSandbox(sandboxOptions, sandboxUrl)
    const ready = await readyForTest(shared, sandboxPerTest)
    await provide(ready.sandbox)
    await ready.release()
  },
  signInAs: async ({ sandbox, context }, provide) => {
    await provide(async (username, browserContext = context) => {
      const { name, value } = await sandbox.control<{ name: string; value: string }>(
        'POST',
        'sessions',
        { user: username },
      )
      // Where apps send the browser, and where the test itself goes.
      const places = [...new Set([sandbox.issuer, sandbox.url])]
      await browserContext.addCookies(places.map((url) => ({ name, value, url })))
    })
  },
  approveDevice: async ({ sandbox }, provide) => {
    await provide((userCode, decision) => sandbox.approveDevice(userCode, decision))
  },
})
