import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/packed.ts'
import { hasProgram } from '../helpers/programs.ts'
import { startApp } from '../helpers/recipes/app.ts'
import { expectAuditPassed } from '../helpers/recipes/audits.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// The samples that need no packages. The others are audited by their own tests, in recipes/ and packed/.

const samples = [
  { name: 'kits/node-test', command: ['node', 'start.js'], login: '/login' },
  { name: 'kits/jest-cjs', command: ['node', 'start.js'], login: '/login' },
  { name: 'kits/go', command: ['go', 'run', '.'], login: '/login' },
  { name: 'recipes/compose', command: ['node', 'server.js'], login: '/' },
] as const

/** Serves the app of a kit, which its test starts in its own process. */
const starter = `import('./app.js').then(({ startApp }) => startApp(Number(process.env.PORT)))\n`

test.for(samples)('$name passes its audit', { timeout: 300_000 }, async (sample, { skip }) => {
  const { name, command, login } = sample
  skip(command[0] === 'go' && !hasProgram('go', 'version'), 'Go is not installed')
  const folder = temporaryDirectory()
  cpSync(join(root, 'test', name), folder, { recursive: true })
  writeFileSync(join(folder, 'start.js'), starter)
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const url = `http://localhost:${await freePort()}`
  const environment = { PORT: new URL(url).port }
  const app = await startApp({ command, folder, sandbox, url, environment })
  onTestFinished(() => app.stop())
  await expectAuditPassed(
    sandbox,
    { start: `${url}${login}` },
    { unjudged: { 'userinfo/other-subject': 'The app has no page that shows who is signed in.' } },
  )
  expect(app.said()).not.toContain('Error')
})
