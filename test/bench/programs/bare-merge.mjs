// Smallest server that merges pull requests: git's own commands on a bare repo, without authentication or events.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { options, ready } from './child.mjs'

/** Folder of the bare repo. */
const { repo } = options()
const execute = promisify(execFile)
const person = { NAME: 'Alice', EMAIL: 'alice@example.com' }
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([name, value]) => [`GIT_${role}_${name}`, value]),
    ),
  ),
}
/** @param {string[]} args */
const git = async (...args) => (await execute('git', ['-C', repo, ...args], { env })).stdout.trim()

const app = fastify()
app.post('/merge/:num', async (request) => {
  const { num } = /** @type {{ num: string }} */ (request.params)
  const [main, other] = ['refs/heads/main', `refs/pr/${num}`]
  const tree = await git('merge-tree', '--write-tree', main, other)
  const commit = await git('commit-tree', tree, '-p', main, '-p', other, '-m', `Merge #${num}`)
  await git('update-ref', main, commit)
  return { commit }
})
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
