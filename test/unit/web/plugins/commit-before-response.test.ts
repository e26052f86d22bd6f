import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { registerCommitBeforeResponse } from '../../../../server/web/plugins/commit-before-response.ts'

describe('a response', () => {
  test('is sent after its change is in the journal', async () => {
    let commit: () => void = () => undefined
    const committing = new Promise<void>((resolve) => {
      commit = resolve
    })
    const commits = [committing, Promise.resolve()]
    const app = fastify()
    registerCommitBeforeResponse(app, { committed: () => commits.shift() })
    app.post('/', () => ({ done: true }))
    let answered = false
    const answer = app.inject({ method: 'POST', url: '/' }).then((response) => {
      answered = true
      return response
    })
    // One that came later and is in the journal already: without the wait it would have been the second to be answered.
    await app.inject({ method: 'POST', url: '/' })
    expect([answered, commits]).toEqual([false, []])
    commit()
    expect((await answer).json()).toEqual({ done: true })
  })

  test('is an error if the journal refuses the change', async () => {
    const app = fastify()
    let tries = 0
    registerCommitBeforeResponse(app, {
      committed: () => (tries++ === 0 ? Promise.reject(new Error('disk full')) : undefined),
    })
    app.post('/', () => ({ done: true }))
    const answer = await app.inject({ method: 'POST', url: '/' })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('done')
  })

  test.each([
    ['GET', '/_sandbox/health', 200],
    ['GET', '/api/models', 200],
    ['POST', '/api/models', 500],
    // It may have issued a code.
    ['GET', '/oauth/authorize', 500],
  ] as const)('to %s %s is %i while the disk is full', async (method, url, status) => {
    const app = fastify()
    registerCommitBeforeResponse(app, { committed: () => Promise.reject(new Error('disk full')) })
    app.route({ method, url, handler: () => ({ done: true }) })
    expect((await app.inject({ method, url })).statusCode).toBe(status)
  })
})
