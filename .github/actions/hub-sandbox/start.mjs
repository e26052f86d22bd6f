// Starts a sandbox that outlives this step, waits until it answers, and tells the following steps of it.
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flagsOf } from './flags.mjs'

const { INPUT_WAIT = '', GITHUB_OUTPUT = '', GITHUB_ENV = '' } = process.env
const { SANDBOX_COMMAND: command = '', SANDBOX_FOLDER: folder = '' } = process.env
const waitMs = Number(INPUT_WAIT) * 1000
const files = {
  said: join(folder, 'started.json'),
  log: join(folder, 'sandbox.log'),
}

/** In a command of the runner a line ends it. */
const escaped = (/** @type {string} */ text) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/**
 * @param {string} why
 * @param {number} exitCode
 * @returns {never}
 */
function fail(why, exitCode) {
  console.log(`::error title=hub-sandbox::${escaped(why)}`)
  process.exit(exitCode)
}

/** Every value is a single one, whatever is in it. */
function tell(/** @type {string} */ file, /** @type {Record<string, string>} */ values) {
  for (const [name, value] of Object.entries(values)) {
    const end = `end-${randomUUID()}`
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`)
  }
}

if (!(waitMs > 0)) fail(`The input wait must be a number of seconds, not ${INPUT_WAIT}.`, 2)

const child = spawn(process.execPath, [command, 'start', '--json', ...flagsOf(process.env)], {
  detached: true,
  windowsHide: true,
  stdio: ['ignore', openSync(files.said, 'w'), openSync(files.log, 'w')],
  // What the user says of it goes before, by a flag or by a variable.
  env: process.env['HUB_SANDBOX_DATA']
    ? process.env
    : { HUB_SANDBOX_EPHEMERAL: 'true', ...process.env },
})
child.unref()
const deadline = performance.now() + waitMs
while (!readFileSync(files.said, 'utf8').includes('\n')) {
  if (child.exitCode !== null || child.signalCode !== null) {
    const why = readFileSync(files.log, 'utf8').trim()
    fail(
      why || `The sandbox ended with ${child.signalCode ?? child.exitCode}.`,
      child.exitCode || 1,
    )
  }
  if (performance.now() > deadline) {
    child.kill('SIGKILL')
    fail(
      `The sandbox does not answer after ${INPUT_WAIT} s.\n${readFileSync(files.log, 'utf8')}`,
      1,
    )
  }
  await sleep(50)
}

const { url, dashboardUrl, controlToken } = JSON.parse(readFileSync(files.said, 'utf8'))
// Before anything that may hold it is printed.
if (controlToken !== undefined) console.log(`::add-mask::${controlToken}`)
const ofSandbox = {
  HUB_SANDBOX_URL: url,
  ...(controlToken === undefined ? {} : { HUB_SANDBOX_CONTROL_TOKEN: controlToken }),
}
const printed = execFileSync(process.execPath, [command, 'env', '--json'], {
  encoding: 'utf8',
  env: { ...process.env, ...ofSandbox },
  stdio: ['ignore', 'pipe', 'inherit'],
})
writeFileSync(join(folder, 'command'), command)
writeFileSync(join(folder, 'pid'), String(child.pid))
tell(GITHUB_ENV, {
  ...JSON.parse(printed),
  ...ofSandbox,
  HUB_SANDBOX_ACTION_FOLDER: folder,
  // What signs in here must neither be sent the user's own token nor write over it.
  HF_TOKEN_PATH: join(folder, 'token'),
})
tell(GITHUB_OUTPUT, {
  url,
  'dashboard-url': dashboardUrl,
  'control-token': controlToken ?? '',
})
for (const name of ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN']) {
  const token = process.env[name]
  if (token && !token.includes('sandbox_')) {
    console.log(
      `::warning title=hub-sandbox::${name} holds a token that is not of a sandbox: the steps would send it there.`,
    )
  }
}
console.log(`hub-sandbox answers at ${url}`)
