import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { budgetOf, lowered, overruns } from './budget.ts'
import { measure, type Measured, type Sizes } from './measure.ts'

// `npm run size` compares the code with its budget. A smaller figure becomes the new budget; `--raise` accepts larger
// ones, and `--list` names the doubled files and the long functions.

const root = fileURLToPath(new URL('../../../', import.meta.url))
const budgetFile = 'server/tools/size/budget.json'
const folders = ['server', 'renderer', 'electron', 'test']

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const say = (text: string) => process.stdout.write(`${text}\n`)
const write = (budget: Sizes) =>
  writeFileSync(root + budgetFile, `${JSON.stringify(budget, undefined, 2)}\n`)

const { sizes, doubled, long } = measureProject()
const budget = JSON.parse(readFileSync(root + budgetFile, 'utf8')) as Sizes
const over = overruns(sizes, budget)
const flags = new Set(process.argv.slice(2))

if (flags.has('--list')) say([...doubled, ...long].join('\n'))
if (flags.has('--raise')) {
  write(budgetOf(sizes))
  say(`The budget is that of the code. Say why in the commit, with a line "Budget: ...".`)
} else if (over.length > 0) {
  for (const { what, size, budget: most } of over) say(`${what}: ${size}, budget ${most}`)
  say('Make it smaller, or raise the budget: npm run size -- --raise')
  process.exitCode = 1
} else {
  const least = lowered(budget, sizes)
  const isLower = JSON.stringify(least) !== JSON.stringify(budget)
  if (isLower && process.env['CI'] === undefined) write(least)
  say(`Within the budget${isLower ? ', which is lowered to it' : ''}.`)
  const unexplained = raisedWithoutReason()
  if (unexplained !== undefined) {
    say(`The commit ${unexplained} raises the budget without a line "Budget: ..." that says why.`)
    process.exitCode = 1
  }
}

function measureProject(): Measured {
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard', ...folders)
  const paths = listed.split('\n').filter((path) => /\.tsx?$/.test(path))
  const present = paths.flatMap((path) => {
    try {
      return [[path, readFileSync(root + path, 'utf8')] as const]
    } catch {
      // Deleted, but still in the index.
      return []
    }
  })
  return measure(new Map(present))
}

/** Returns the last commit of the budget if it raises a figure and its message has no reason. */
function raisedWithoutReason(): string | undefined {
  try {
    const commit = git('log', '-1', '--format=%h', '--', budgetFile).trim()
    const before = JSON.parse(git('show', `${commit}^:${budgetFile}`)) as Sizes
    const after = JSON.parse(git('show', `${commit}:${budgetFile}`)) as Sizes
    const isRaised = overruns(after, before).length > 0
    return isRaised && !/^Budget: \S/m.test(git('log', '-1', '--format=%B', commit))
      ? commit
      : undefined
  } catch {
    // The first budget, or a clone without history.
    return undefined
  }
}
