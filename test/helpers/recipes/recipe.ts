import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, onTestFinished } from 'vitest'
import { headingOf } from '../../../server/cli/pages.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../server/index.ts'
import { root } from '../packed.ts'
import { freePort } from '../free-port.ts'
import { type RunningApp, startApp } from './app.ts'
import type { Needs } from './needs.ts'
import { runUnderSandbox, startUnderSandbox, type StartedProgram } from './under-sandbox.ts'
import { createWebUser, type WebUser } from './web-user.ts'

/** Recipe with its steps and needs. */
export interface Recipe {
  /** The folder beside the test of this name: what a user copies, and nothing else. */
  folder: string
  /** Installations in order; one that is impossible skips the recipe with the reason. */
  needs?: readonly Needs[]
  /** The program that serves the app, as its user types it. It is told its port by `PORT`. */
  start?: readonly string[]
  /** Environment variables of the app besides those of the sandbox. */
  environment?: (appUrl: string, sandboxUrl: string) => Record<string, string>
  /** Further flags of `exec`: such as the app that it signs in as. */
  flags?: readonly string[]
  /** Options of the sandbox, by the recipe's folder and the variables of what it needs. */
  sandbox?: SandboxOptions | ((source: string, variables: Record<string, string>) => SandboxOptions)
}

/** The app and the sandbox of a recipe, while its tests run. */
export interface Stage {
  /** Folder with the copied files of the app. */
  readonly folder: string
  readonly sandbox: Sandbox
  /** The app that serves, where the recipe starts one. */
  readonly app: RunningApp
  /** Somebody in front of a browser that has no cookies yet. */
  user(username: string, decision?: 'approve' | 'deny'): WebUser
  /** Starts a program of the folder likewise; it is ended with the test at the latest. */
  start(command: readonly string[], environment?: Record<string, string>): StartedProgram
  /** Runs a program of the folder to its end, told of the sandbox as the app is. @returns what it printed */
  run(command: readonly string[], environment?: Record<string, string>): Promise<string>
}

/**
 * The tests of one recipe: its app is copied, gets what it needs, and runs against a sandbox of its own.
 * @param tests are to use the stage while they run, not before
 */
export function recipe(
  { folder, needs = [], start, environment, flags = [], sandbox: options }: Recipe,
  tests: (stage: Stage) => void,
): void {
  const question = headingOf(readFileSync(join(root, 'test/recipes', folder, 'README.md'), 'utf8'))
  // oxlint-disable-next-line vitest/valid-title -- the heading is a literal
  describe(question, { timeout: 120_000 }, () => {
    let obstacle: string | undefined
    let copy: string | undefined
    let sandbox: Sandbox | undefined
    let app: RunningApp | undefined
    let variables: Record<string, string> = {}

    beforeAll(async () => {
      const source = join(root, 'test/recipes', folder)
      let home: string | undefined
      for (const provide of needs) {
        const provided = await provide(source)
        obstacle = provided.obstacle
        if (obstacle !== undefined) return
        home ??= provided.folder
        variables = { ...variables, ...provided.variables }
      }
      // Below what was installed, so that Node finds the packages as it does in the user's own folder.
      copy = mkdtempSync(
        home === undefined ? join(root, 'node_modules/.recipe-') : join(home, 'run-'),
      )
      cpSync(source, copy, { recursive: true })
      sandbox = await startSandbox(
        typeof options === 'function' ? options(source, variables) : options,
      )
      if (start === undefined) return
      const port = await freePort()
      app = await startApp({
        command: start,
        folder: copy,
        sandbox,
        flags,
        url: `http://localhost:${port}`,
        environment: {
          ...variables,
          PORT: String(port),
          ...environment?.(`http://localhost:${port}`, sandbox.url),
        },
      })
    }, 600_000)
    afterAll(async () => {
      await app?.stop()
      await sandbox?.close()
      if (copy !== undefined) rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
    }, 60_000)
    beforeEach(async ({ skip, onTestFailed }) => {
      skip(obstacle !== undefined, obstacle)
      onTestFailed(() => {
        if (app !== undefined) process.stderr.write(`The app said:\n${app.said()}\n`)
      })
      // What one test consented to, none has.
      await sandbox?.reset()
    })

    const underSandbox = (command: readonly string[], more: Record<string, string> = {}) => ({
      command,
      folder: present(copy),
      sandbox: present(sandbox),
      flags,
      environment: { ...variables, ...more },
    })

    tests({
      get folder() {
        return present(copy)
      },
      get sandbox() {
        return present(sandbox)
      },
      get app() {
        return present(app)
      },
      user: (username, decision = 'approve') =>
        createWebUser({ sandboxUrl: present(sandbox).url, username, decision }),
      start(command, more) {
        const program = startUnderSandbox(underSandbox(command, more))
        onTestFinished(() => program.stop())
        return program
      },
      run: (command, more) => runUnderSandbox(underSandbox(command, more)),
    })
  })
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the recipe has none, or its tests do not run yet')
  return value
}
