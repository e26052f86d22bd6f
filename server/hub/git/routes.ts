import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { PacketError } from './pkt-line.ts'
import { bodyEncodings, unpackBody } from './unpack-body.ts'
import type { GitCall } from './git.ts'
import { permit } from '../access/access.ts'
import { permitPush } from '../commits/commit-access.ts'
import type { Pusher } from './receive-pack.ts'
import { bodyStream, readWholeBody } from '../../web/body-stream.ts'
import { answerInTime } from '../../web/patience.ts'
import { loadYaml } from '../files/load-yaml.ts'
import { registerGitErrors } from '../http/git-errors.ts'
import { identifyGitClient, registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { HttpRefusal, noteRefusal } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Bytes of a fetch request: wanted ids and up to some thousands of known ids. */
const largestQuestion = 4 * 1024 * 1024
const noCache = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
}

/** Clone, fetch and push. */
export const gitRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerGitErrors(app)
  registerPrincipal(app, deps, identifyGitClient)
  registerRepoOfRoute(app, deps, { ignoresCase: true })
  app.removeAllContentTypeParsers()
  // The handlers read the bodies as streams.
  app.addContentTypeParser(
    ['application/x-git-upload-pack-request', 'application/x-git-receive-pack-request'],
    (_request, _body, done) => done(null),
  )

  hub(app, 'GET /:repo/info/refs', async (request, reply) => {
    const { service } = request.query
    if (service === 'git-receive-pack') {
      permitPush(deps, request.principal, request.repo)
      const refs = await deps.git.advertiseReceivePack(request.repo)
      return reply.headers(noCache).type(`application/x-${service}-advertisement`).send(refs)
    }
    if (service !== 'git-upload-pack') {
      throw new Refusal('forbidden', 'Only the smart HTTP protocol of git is supported', {
        detail: `the service is ${service ?? 'not named, as old clients do it'}`,
      })
    }
    const { principal, repo, root } = request
    permit(deps, principal, { action: 'repo.download', repo, root })
    const call = callOf(request, reply)
    const refs = await deps.git.advertiseUploadPack(call).catch(explainTo(call))
    return reply.headers(noCache).type(`application/x-${service}-advertisement`).send(refs)
  })

  hub(
    app,
    'POST /:repo/git-upload-pack',
    async (request, reply) => {
      const question = await readWholeBody(readBody(request), largestQuestion)
      const onRefusal = (problem: string) => noteRefusal(request, 'fetch_declined', problem)
      const call = { ...callOf(request, reply), onRefusal }
      const answer = await deps.git.uploadPack(call, question).catch(explainTo(call))
      answerInTime(reply)
      return reply.headers(noCache).type('application/x-git-upload-pack-result').send(answer)
    },
    { config: { unpacksBody: true } },
  )

  hub(
    app,
    'POST /:repo/git-receive-pack',
    async (request, reply) => {
      const call = { ...callOf(request, reply), pusher: requirePusher(request), loadYaml }
      const { body, refusal } = await deps.git
        .receivePack(call, readBody(request))
        .catch(explainTo(call))
      if (refusal !== undefined) noteRefusal(request, 'push_declined', refusal)
      return reply.headers(noCache).type('application/x-git-receive-pack-result').send(body)
    },
    { config: { unpacksBody: true } },
  )

  function requirePusher(request: FastifyRequest): Pusher {
    permitPush(deps, request.principal, request.repo)
    return signedIn(request)
  }
}

function callOf({ repo, headers }: FastifyRequest, { raw }: FastifyReply): GitCall {
  const leaving = new AbortController()
  raw.once('close', () => leaving.abort())
  const protocol = headers['git-protocol']
  return { repo, protocol: [protocol].flat()[0], signal: leaving.signal }
}

function readBody(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!bodyEncodings.includes(encoding)) {
    throw new HttpRefusal(415, 'invalid', `Unsupported content encoding: ${encoding}`)
  }
  return unpackBody(bodyStream(request), encoding)
}

/** Translates errors of git; an aborted request is not an error. */
function explainTo({ signal }: GitCall): (error: unknown) => never {
  return (error) => {
    if (error instanceof PacketError) {
      throw new Refusal('invalid', `Invalid git request: ${error.message}`)
    }
    if (!signal.aborted || error instanceof Refusal) throw error
    throw new Refusal('invalid', 'The client closed the connection', { cause: error })
  }
}
