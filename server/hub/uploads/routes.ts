import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { permit } from '../access/access.ts'
import { encodedRevision } from '../files/address-revisions.ts'
import { permitApiCommit } from '../commits/commit-access.ts'
import type { ContentShelf } from './commit-contents.ts'
import { readCommitLines } from './commit-lines.ts'
import { readCommitObject } from './commit-object.ts'
import type { ParsedCommit } from './commit-operations.ts'
import { largeFilesOf } from '../files/lfs-files.ts'
import { checkReadme, mostCheckedReadme } from '../rules/readme-check.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { CommitReceiver, type CommitTarget, type ReceivedCommit } from './receive.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { requireWritableRef, resolveRevision } from '../files/revisions.ts'
import { planUploads } from './upload-modes.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { restOfPath } from '../http/addressed-entry.ts'
import { asksForPullRequest, commitAction } from '../http/commit-action.ts'
import { bodyStream, readWholeBody } from '../../web/body-stream.ts'
import { loadYaml } from '../files/load-yaml.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { noteRefusal, noteRemark } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

// A reader may write to their own pull request: the right is checked once the ref is known.

/** Commit as one JSON object: it is parsed in one piece and holds a file of 10 MiB as base64. */
const largestCommitObject = 24 * 1024 * 1024

/** Uploads of files: preupload, commit, README check. */
export const uploadRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const receiver = new CommitReceiver({ ...deps, loadYaml })

  hub(app, 'POST /api/validate-yaml', async (request, reply) => {
    const { content, repoType = 'model' } = request.body
    if (Buffer.byteLength(content) > mostCheckedReadme) {
      throw new HttpRefusal(413, 'invalid', 'request entity too large', {
        detail: `a README is checked up to ${mostCheckedReadme} bytes`,
      })
    }
    const findings = checkReadme(await loadYaml(), { content, repoType })
    if (findings.errors.length === 0) return findings
    const problems = findings.errors.map(({ message }) => message)
    noteRefusal(request, 'http_400', problems.join('; '))
    reply.code(400)
    // `RepoCard.validate` of the Python client shows the body unchanged.
    if (request.headers.accept?.startsWith('text/plain')) {
      const lines = problems.map((problem) => `- Error: ${problem}`)
      return reply.type('text/plain; charset=utf-8').send(lines.join('\n'))
    }
    // Without an `error` member: clients would print every problem twice.
    return reply.send(findings)
  })

  hub(
    app,
    'POST /api/:repo/preupload/*',
    async (request) => {
      const { repo, body } = request
      const { ref } = targetOf(request, repo)
      const objects = deps.objects.of(repo)
      const { id, treeId } = resolveRevision(objects, repo, ref).commit
      const rules = {
        gitIgnore: body.gitIgnore ?? undefined,
        gitAttributes: body.gitAttributes ?? undefined,
      }
      const files = planUploads(objects, {
        treeId,
        findLarge: largeFilesOf(deps, repo),
        files: body.files,
        ...omitUndefined(rules),
      })
      return { commitOid: id, files }
    },
    { config: { requestedAction: commitAction } },
  )

  await app.register(async (streamed: typeof app) => {
    streamed.removeAllContentTypeParsers()
    // The handler reads the body as a stream.
    streamed.addContentTypeParser(
      ['application/x-ndjson', 'application/json'],
      (_request, _body, done) => done(null),
    )

    hub(
      streamed,
      'POST /api/:repo/commit/*',
      async (request) => {
        const requireTarget = (repo: Repo) => targetOf(request, repo)
        requireTarget(request.repo)
        const { repo: begun } = request
        const objects = deps.objects.of(begun)
        try {
          const { passedOver, ...content } = await readCommit(request, {
            // No ref points to it before the commit does.
            write: (content) => objects.write('blob', content),
            written: () => deps.objects.written(),
          })
          if (passedOver.length > 0) {
            noteRemark(request, `Ignored, as on the Hub: ${passedOver.join('; ')}`)
          }
          const received = await receiver.receive({ repo: begun, objects, content, requireTarget })
          return describeCommit(request.root, received)
        } catch (error) {
          // What was stored of it belongs to no commit.
          deps.objects.noteUnreachable(begun)
          throw error
        }
      },
      { config: { requestedAction: commitAction } },
    )
  })

  /** Finds the ref to write to. @throws {Refusal} unless the caller may write to it */
  function targetOf(request: FastifyRequest, repo: Repo): CommitTarget {
    const { principal } = request
    const revision = encodedRevision(repo, restOfPath(request))
    const asPullRequest = asksForPullRequest(request)
    if (asPullRequest) permit(deps, principal, { action: 'pull-request.commit', repo })
    const ref = requireWritableRef(repo, revision)
    if (!asPullRequest) permitApiCommit(deps, principal, repo, ref)
    return { userId: signedIn(request).user.id, ref, asPullRequest }
  }
}

async function readCommit(request: FastifyRequest, shelf: ContentShelf): Promise<ParsedCommit> {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    return readCommitLines(bodyStream(request), shelf)
  }
  const hint = ': send larger commits as application/x-ndjson'
  const bytes = await readWholeBody(bodyStream(request), largestCommitObject, hint)
  return readCommitObject(bytes, shelf)
}

function describeCommit(root: string, { repo, commit, pullRequest }: ReceivedCommit) {
  const web = root + repoWebPath(repo.type, repo.name)
  return {
    success: true,
    commitOid: commit.id,
    commitUrl: `${web}/commit/${commit.id}`,
    hookOutput: '',
    ...(pullRequest && { pullRequestUrl: `${web}/discussions/${pullRequest.num}` }),
  }
}
