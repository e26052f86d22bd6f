import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'

/** Step of a workflow or an action. */
export interface Step {
  id?: string
  if?: string
  uses?: string
  shell?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string | number | boolean>
}

interface Action {
  inputs?: Record<string, { default?: string }>
  outputs?: Record<string, { value: string }>
  runs: { steps: Step[] }
}

export interface StepResult {
  code: number
  /** stdout and stderr, as the log of the job has them. */
  log: string
  outputs: Record<string, string>
}

type Values = Record<string, string>

/** A job on this machine: what GitHub's runner does between and around the steps, as far as they notice. */
export class Job {
  /** State of the job: failed after the first failed step. */
  failed = false
  /** Secrets to mask in the log. */
  readonly masked: string[] = []
  readonly #folder: string
  readonly #env: Values
  #paths: string[] = []
  #count = 0

  /** Working folder of the steps. */
  readonly workspace: string

  /** Without a network. @param folder of this job alone; the steps run in its `work`, unless there is a place for them */
  constructor(folder: string, env: Values = {}, workspace = join(folder, 'work')) {
    this.#folder = folder
    this.workspace = workspace
    const quiet = { npm_config_offline: 'true', npm_config_update_notifier: 'false' }
    this.#env = { ...quiet, ...env, RUNNER_TEMP: join(folder, 'temp') }
    for (const name of ['work', 'temp', 'files']) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['summary', 'log']) writeFileSync(this.#file(name), '')
  }

  get env(): Readonly<Values> {
    return this.#env
  }

  get log(): string {
    return readFileSync(this.#file('log'), 'utf8')
  }

  get summary(): string {
    return readFileSync(this.#file('summary'), 'utf8')
  }

  /** A step with `uses` of an action of this repository. */
  use(path: string, given: Values = {}): StepResult {
    const { inputs = {}, outputs = {}, runs } = parse(readFileSync(path, 'utf8')) as Action
    const values: Values = {}
    for (const [name, { default: usual = '' }] of Object.entries(inputs)) {
      values[`inputs.${name}`] = given[name] ?? usual
    }
    let [code, log] = [0, '']
    for (const step of runs.steps) {
      if (code !== 0 || !holds(step.if, values)) continue
      const done = this.#run(step.run ?? '', dirname(path), filled(step.env ?? {}, values))
      code = done.code
      log += done.log
      for (const [name, value] of Object.entries(done.outputs)) {
        values[`steps.${step.id}.outputs.${name}`] = value
      }
    }
    const told = Object.entries(outputs).map(([name, { value }]) => [name, value] as const)
    return { code, log, outputs: filled(Object.fromEntries(told), values) }
  }

  /** A step with `run` of the workflow. */
  run(script: string): StepResult {
    return this.#run(script)
  }

  /** The steps of a job of a workflow, those that get machines and sources ready left out. */
  play(steps: readonly Step[], action: (name: string) => string | undefined): void {
    for (const step of steps) {
      if (!this.#isTurnOf(step)) continue
      const path = step.uses === undefined ? undefined : action(step.uses)
      const given = Object.entries(step.with ?? {}).map(([key, value]) => [key, String(value)])
      if (path !== undefined) this.use(path, Object.fromEntries(given) as Values)
      if (step.run !== undefined) this.#run(step.run)
    }
  }

  /** A sandbox that a step left behind, because the job was not finished. */
  killSandbox(): void {
    const folder = this.#env['HUB_SANDBOX_ACTION_FOLDER']
    if (folder === undefined) return
    try {
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL')
    } catch {
      // It has ended as it should.
    }
  }

  #isTurnOf({ if: condition = 'success()' }: Step): boolean {
    const isDue = new Map([
      ['always()', true],
      ['success()', !this.failed],
      ['failure()', this.failed],
    ]).get(condition)
    if (isDue === undefined) throw new Error(`the runner knows no ${condition}`)
    return isDue
  }

  #file(name: string): string {
    return join(this.#folder, 'files', name)
  }

  #run(script: string, actionPath?: string, stepEnv: Values = {}): StepResult {
    const number = ++this.#count
    const file = (name: string) => {
      const path = this.#file(`${number}-${name}`)
      writeFileSync(path, '')
      return path
    }
    const files = {
      GITHUB_ENV: file('env'),
      GITHUB_OUTPUT: file('output'),
      GITHUB_PATH: file('path'),
    }
    const text = this.#file(`${number}.sh`)
    writeFileSync(text, script)
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', text],
      {
        cwd: this.workspace,
        encoding: 'utf8',
        timeout: 120_000,
        env: {
          ...this.#env,
          ...stepEnv,
          ...files,
          GITHUB_STEP_SUMMARY: this.#file('summary'),
          PATH: [...this.#paths, dirname(process.execPath), process.env['PATH']].join(':'),
          ...(actionPath === undefined ? {} : { GITHUB_ACTION_PATH: actionPath }),
        },
      },
    )
    Object.assign(this.#env, valuesIn(files.GITHUB_ENV))
    const added = readFileSync(files.GITHUB_PATH, 'utf8').split('\n').filter(Boolean)
    this.#paths = [...added.toReversed(), ...this.#paths]
    const log = stdout + stderr
    for (const [, value = ''] of log.matchAll(/^::add-mask::(.+)$/gm)) this.masked.push(value)
    const code = status ?? 1
    if (code !== 0) this.failed = true
    appendFileSync(this.#file('log'), log)
    return { code, log, outputs: valuesIn(files.GITHUB_OUTPUT) }
  }
}

/** Only what the actions here ask. */
function holds(condition: string | undefined, values: Values): boolean {
  if (condition === undefined) return true
  const [, name = '', sign] = /^(inputs\.[\w-]+) (==|!=) ''$/.exec(condition) ?? []
  if (sign === undefined) throw new Error(`the runner knows no ${condition}`)
  return (values[name] === '') === (sign === '==')
}

function filled(texts: Values, values: Values): Values {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values[name] ?? ''),
    ]),
  )
}

/** `NAME=value`, or with a line that ends it: `NAME<<END`. */
function valuesIn(path: string): Values {
  const values: Values = {}
  const lines = readFileSync(path, 'utf8').split('\n')
  while (lines.length > 0) {
    const line = lines.shift() ?? ''
    const [, name, end] = /^([\w-]+)<<(.+)$/.exec(line) ?? []
    if (name !== undefined && end !== undefined) {
      values[name] = lines.splice(0, lines.indexOf(end)).join('\n')
      lines.shift()
    } else if (line !== '') {
      const at = line.indexOf('=')
      if (at < 1) throw new Error(`the runner cannot read ${line}`)
      values[line.slice(0, at)] = line.slice(at + 1)
    }
  }
  return values
}
