import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import type { AppItem, AppList } from '../../../server/contract/control-types.ts'
import type { AppAuditOptions } from '../../../server/client/sandbox-audit.ts'
import type { Sandbox } from '../../../server/index.ts'
import { freePort } from '../free-port.ts'
import { root } from '../packed.ts'
import { bareEnvironment, hasProgram } from '../programs.ts'
import { installPythonClient, installPythonPackages } from '../python-client.ts'
import { startApp } from '../recipes/app.ts'
import { createWebUser } from '../recipes/web-user.ts'
import { defaultApps } from '../sandbox.ts'
import type { LibraryApp, LibrarySession } from './library-apps.ts'

/** App of a library, as an audit drives it. */
export interface AuditedLibrary extends AppAuditOptions {
  /** Signs a user in outside of the audit, for the checks. @returns whether the user is signed in */
  readonly signInOnce: () => Promise<boolean>
}

/** Where the app of a library runs. */
export interface LibraryStage {
  readonly sandbox: Sandbox
  /** Folder for its files, deleted after the test. */
  readonly folder: string
  /** Registers what is to be ended after the test. */
  readonly onFinished: (end: () => Promise<void>) => void
}

/** Prepares the app of a library. @returns why it cannot run, if so */
export type PrepareLibrary = (stage: LibraryStage) => Promise<AuditedLibrary | string>

/** App in this process. @param canUse whether its sessions can call the Hub */
export function inProcess(app: LibraryApp, canUse = false): PrepareLibrary {
  return async ({ sandbox }) => {
    const { clientId } = defaultApps(sandbox).public
    let session: LibrarySession | undefined
    const open = () => app({ issuer: sandbox.url, clientId })
    return {
      clientId,
      async signIn() {
        session = undefined
        session = await open()
      },
      signedIn: () => session?.user(),
      ...(canUse ? { use: () => session?.use?.() } : {}),
      signInOnce: async () => (await open()).user() !== undefined,
    }
  }
}

/** Website in Python. */
export interface PythonSite {
  /** Folder or file below `test`. */
  readonly source: string
  readonly program: string
  readonly packages: readonly string[]
  readonly login: string
  readonly callback: string
  /** Space that the website is, with the app and the variables that it has on the Hub. Default: an app of its own. */
  readonly space?: string
}

/** Website in a process of its own, with the variables that `exec` sets. Its front page shows who is signed in. */
export function pythonSite(site: PythonSite): PrepareLibrary {
  return async ({ sandbox, folder, onFinished }) => {
    const { interpreter, obstacle } = await installPythonPackages(site.packages)
    if (obstacle !== undefined) return obstacle
    const url = `http://localhost:${await freePort()}`
    const { clientId } = await appOf(sandbox, site, url)
    cpSync(join(root, 'test', site.source), folder, { recursive: true })
    const app = await startApp({
      command: [interpreter, site.program],
      folder,
      sandbox,
      flags: site.space === undefined ? ['--client', clientId] : ['--space', site.space],
      url,
      environment: { PORT: new URL(url).port, PYTHONDONTWRITEBYTECODE: '1' },
    })
    onFinished(() => app.stop())
    const user = createWebUser({ sandboxUrl: sandbox.url, username: 'alice', decision: 'approve' })
    return {
      clientId,
      start: `${url}${site.login}`,
      signedIn: `${url}/`,
      signedInText: 'Signed in as',
      async signInOnce() {
        const { text } = await user.open(`${url}${site.login}`)
        return text.includes('Signed in as alice')
      },
    }
  }
}

async function appOf(sandbox: Sandbox, { space, callback }: PythonSite, url: string) {
  if (space === undefined) {
    return sandbox.control<AppItem>('POST', 'apps', {
      name: 'Website',
      redirectUris: [`${url}${callback}`],
      scopes: ['openid', 'profile'],
    })
  }
  const { items } = await sandbox.control<AppList>('GET', 'apps')
  const app = items.find((item) => item.space === space)
  if (app === undefined) throw new Error(`${space} has no app`)
  return app
}

/** Program that signs in by a device code. */
export interface DeviceProgram {
  /** Signs in as a user who starts with nothing. @returns whether the user is signed in */
  signIn(): Promise<boolean>
}

/** Program on the command line. @param prepare returns why it cannot run, if so */
function deviceProgram(
  prepare: (stage: LibraryStage) => Promise<DeviceProgram | string>,
): PrepareLibrary {
  return async (stage) => {
    const { sandbox } = stage
    const program = await prepare(stage)
    if (typeof program === 'string') return program
    let isSignedIn = false
    return {
      clientId: defaultApps(sandbox).commandLine.clientId,
      flow: 'device',
      async signIn() {
        isSignedIn = false
        isSignedIn = await program.signIn()
      },
      signedIn: () => isSignedIn,
      async signInOnce() {
        const [signedIn] = await Promise.all([program.signIn(), approveNextDevice(sandbox)])
        return signedIn
      },
    }
  }
}

/** Waits for a device, and approves it. */
async function approveNextDevice(sandbox: Sandbox): Promise<void> {
  const code = await vi.waitFor(
    async () => {
      const { items } = await sandbox.control<{ items: { userCode: string }[] }>('GET', 'device')
      if (items[0] === undefined) throw new Error('no device asks')
      return items[0].userCode
    },
    { timeout: 60_000, interval: 100 },
  )
  await sandbox.approveDevice(code, { user: 'alice' })
}

/** The device flow with curl in a POSIX shell. */
export const deviceInShell = deviceProgram(async ({ sandbox, folder }) => {
  if (!hasProgram('curl') || !hasProgram('sh', '-c', 'exit 0')) {
    return 'curl or a POSIX shell is not installed'
  }
  const script = join(root, 'test/compat/shell/device-sign-in.sh')
  const { clientId } = defaultApps(sandbox).commandLine
  const environment = { BASE_URL: sandbox.url, CLIENT_ID: clientId, INTERVAL: '1' }
  return {
    async signIn() {
      const printed = await outputOf('sh', [script], { HOME: folder, ...environment })
      return printed?.includes('"name":"alice"') === true
    },
  }
})

/** `hf auth login` of huggingface_hub. */
export const hfAuthLogin = deviceProgram(async ({ sandbox, folder }) => {
  const { interpreter, obstacle } = await installPythonClient()
  if (obstacle !== undefined) return obstacle
  const main = 'from huggingface_hub.cli.hf import main; main()'
  return {
    async signIn() {
      const home = mkdtempSync(join(folder, 'home-'))
      const environment = { HF_ENDPOINT: sandbox.url, HF_HOME: home, HOME: home }
      await outputOf(interpreter, ['-c', main, 'auth', 'login'], environment)
      const printed = await outputOf(interpreter, ['-c', main, 'auth', 'whoami'], environment)
      return printed?.includes('alice') === true
    },
  }
})

/** Runs a program to its end. @returns what it printed; `undefined` if it failed, as a refused sign-in does */
async function outputOf(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<string | undefined> {
  const env = bareEnvironment(environment)
  try {
    return (await promisify(execFile)(program, [...args], { env, timeout: 60_000 })).stdout
  } catch {
    return undefined
  }
}
