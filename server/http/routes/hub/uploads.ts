import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  CommitQuery,
  PreuploadBody,
  PreuploadQuery,
  ValidateYamlBody,
} from '../../../contract/hub-files.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { finishInTurns, takeSlices } from '../../../core/slices.ts'
import { permit } from '../../../hub/access/access.ts'
import { encodedRevision } from '../../../hub/files/address-revisions.ts'
import { permitApiCommit } from '../../../hub/commits/commit-access.ts'
import type { ContentShelf } from '../../../hub/uploads/commit-contents.ts'
import { readCommitLines } from '../../../hub/uploads/commit-lines.ts'
import { readCommitObject } from '../../../hub/uploads/commit-object.ts'
import type { ParsedCommit } from '../../../hub/uploads/commit-operations.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { type CommitInput, commitFiles, draftCommit } from '../../../hub/commits/commits.ts'
import type { Commit } from '../../../hub/files/git-objects.ts'
import { largeFilesOf } from '../../../hub/files/lfs-files.ts'
import { commitAsPullRequest, draftForPullRequest } from '../../../hub/discussions/pull-requests.ts'
import { checkReadme, readmeProblems } from '../../../hub/rules/readme-check.ts'
import {
  addedReadme,
  refuseBinaries,
  refuseLostPointers,
} from '../../../hub/uploads/commit-rules.ts'
import { repoWebPath } from '../../../hub/files/repo-names.ts'
import { requireWritableRef, resolveRevision } from '../../../hub/files/revisions.ts'
import { planUploads } from '../../../hub/uploads/upload-modes.ts'
import type { User } from '../../../state/entities/accounts.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { pathAfter } from '../../addressed-entry.ts'
import { bodyStream, passingBody, readWholeBody } from '../../body-stream.ts'
import { loadYaml } from '../../load-yaml.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { noteRefusal, noteRemark } from '../../plugins/refusals.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import type { ServerDeps } from '../../server-deps.ts'

const tags = ['uploads']
const { types, namespace, name } = repoParams.properties
const ofBranch = Type.Object({
  types,
  namespace,
  name,
  '*': Type.String({ description: 'Branch, or `refs/pr/N`' }),
})
// Whoever reads may write to a pull request of their own: what it takes is asked when the ref is known.
const commits = { config: { repoAction: 'repo.read' as const, needsUser: true as const } }
const largestPlan = 8 * 1024 * 1024
/** A commit in one JSON object; it is parsed in one piece, and holds a file of 10 MiB as base64. */
const largestCommitObject = 24 * 1024 * 1024

/** How files get into repos. */
export const uploadRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  /** The last commit of each repo that is under way, by the id of the repo. */
  const turns = new Map<string, Promise<unknown>>()

  app.post(
    '/api/validate-yaml',
    {
      bodyLimit: largestPlan,
      schema: { summary: 'Check the metadata of a README', tags, body: ValidateYamlBody },
    },
    async (request, reply) => {
      const { content, repoType = 'model' } = request.body
      const work = checkReadme(await loadYaml(), { content, repoType })
      const findings = await finishInTurns(work, takeSlices())
      if (findings.errors.length === 0) return findings
      const problems = findings.errors.map(({ message }) => message)
      noteRefusal(request, 'http_400', problems.join('; '))
      reply.code(400)
      // `RepoCard.validate` of the Python client shows the body as it is.
      if (request.headers.accept?.startsWith('text/plain')) {
        const lines = problems.map((problem) => `- Error: ${problem}`)
        return reply.type('text/plain; charset=utf-8').send(lines.join('\n'))
      }
      // No `error` beside them, or clients say all of it twice.
      return reply.send(findings)
    },
  )

  app.post(
    `${repoApiRoute}/preupload/*`,
    {
      ...commits,
      bodyLimit: largestPlan,
      schema: {
        summary: 'Ask how to upload files',
        tags,
        params: ofBranch,
        querystring: PreuploadQuery,
        body: PreuploadBody,
      },
    },
    async (request) => {
      const { repo, body } = request
      const { ref } = requireTarget(request, repo, request.query)
      const objects = deps.objects.of(repo)
      const { id, treeId } = resolveRevision(objects, repo, ref).commit
      const rules = {
        gitIgnore: body.gitIgnore ?? undefined,
        gitAttributes: body.gitAttributes ?? undefined,
      }
      const plan = planUploads(objects, {
        treeId,
        findLarge: largeFilesOf(deps, repo),
        files: body.files,
        ...omitUndefined(rules),
      })
      return { commitOid: id, files: await finishInTurns(plan, takeSlices()) }
    },
  )

  await app.register(async (streamed: typeof app) => {
    streamed.removeAllContentTypeParsers()
    // The handler reads it as it comes.
    streamed.addContentTypeParser(
      ['application/x-ndjson', 'application/json'],
      (_request, _body, done) => done(null),
    )

    streamed.post(
      `${repoApiRoute}/commit/*`,
      {
        ...commits,
        schema: {
          summary: 'Commit files',
          description:
            'As `application/x-ndjson`, or as `application/json`: one object with `summary`, `description`, `parentCommit`, `files`, `lfsFiles`, `deletedEntries`, `deletedFiles` and `deletedFolders`',
          tags,
          params: ofBranch,
          querystring: CommitQuery,
        },
      },
      async (request) => {
        requireTarget(request, request.repo, request.query)
        // Had until the end: the repo may be deleted meanwhile.
        const objects = deps.objects.of(request.repo)
        const shelf = {
          // Nobody sees it before a commit names it.
          receiveBlob: () => objects.receiveBlob(),
          written: () => deps.objects.written(),
        }
        const { passedOver, ...read } = await readCommit(request, shelf)
        await refuseByRules({ repo: request.repo, objects }, read.operations)
        if (passedOver.length > 0) {
          noteRemark(request, `Passed over, as the hub does: ${passedOver.join('; ')}`)
        }
        // Much may have happened while it came, and may again while it is written.
        const present = () => {
          const repo = requirePresent(request.repo)
          const { user, ref, asPullRequest } = requireTarget(request, repo, request.query)
          return { asPullRequest, input: { repo, revision: ref, actorId: user.id, ...read } }
        }
        return inTurn(request.repo, async () => {
          const draft = await keepDraft(present()).catch((error: unknown) => {
            // Of a repo that went while it was made, no more can be said.
            present()
            throw error
          })
          const { asPullRequest, input } = present()
          const { repo } = input
          const web = request.root + repoWebPath(repo.type, repo.name)
          const describe = (commitOid: string) => ({
            success: true,
            commitOid,
            commitUrl: `${web}/commit/${commitOid}`,
            hookOutput: '',
          })
          if (!asPullRequest) return describe(commitFiles(deps, { ...input, draft }).commit.id)
          const { commit, discussion } = commitAsPullRequest(deps, { ...input, draft })
          return { ...describe(commit.id), pullRequestUrl: `${web}/discussions/${discussion.num}` }
        })
      },
    )
  })

  /** What the hub's hooks refuse. @throws {Refusal} `invalid` */
  async function refuseByRules(
    place: { repo: Repo; objects: ObjectStore },
    operations: CommitInput['operations'],
  ): Promise<void> {
    refuseLostPointers(deps, place, operations)
    await refuseBinaries(place.objects, operations)
    const content = addedReadme(place.objects, operations)
    if (content === undefined) return
    const work = readmeProblems(await loadYaml(), { content, repoType: place.repo.type })
    const problems = await finishInTurns(work, takeSlices())
    if (problems.length === 0) return
    const said = problems.join('; ')
    throw new Refusal('invalid', said, { detail: `README.md: ${said}` })
  }

  async function readCommit(request: FastifyRequest, shelf: ContentShelf): Promise<ParsedCommit> {
    if (!request.headers['content-type']?.startsWith('application/json')) {
      return readCommitLines(passingBody(request), shelf, takeSlices())
    }
    const hint = ': send larger commits as application/x-ndjson'
    const bytes = await readWholeBody(bodyStream(request), largestCommitObject, hint)
    return readCommitObject(bytes, shelf, takeSlices())
  }

  /** The ref that is written to, by who may do that. */
  function requireTarget(
    request: FastifyRequest,
    repo: Repo,
    query: { create_pr?: string },
  ): { user: User; ref: string; asPullRequest: boolean } {
    const { principal } = request
    const revision = encodedRevision(repo, pathAfter(request, 6))
    const asPullRequest = query.create_pr === '1' || query.create_pr?.toLowerCase() === 'true'
    if (asPullRequest) permit(deps, principal, { action: 'pull-request.commit', repo })
    const ref = requireWritableRef(repo, revision)
    if (!asPullRequest) permitApiCommit(deps, principal, repo, ref)
    return { user: signedIn(request).user, ref, asPullRequest }
  }

  /** One commit to a repo after the other, or each would be drafted anew whenever another has moved its ref. */
  async function inTurn<T>({ id }: Repo, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work, work)
    turns.set(id, turn)
    try {
      return await turn
    } finally {
      if (turns.get(id) === turn) turns.delete(id)
    }
  }

  /** Nothing leads to it before the disk has it. */
  async function keepDraft(to: { asPullRequest: boolean; input: CommitInput }): Promise<Commit> {
    const steps = to.asPullRequest
      ? draftForPullRequest(deps, to.input)
      : draftCommit(deps, to.input)
    const draft = await finishInTurns(steps, takeSlices())
    await deps.objects.written()
    return draft
  }

  function requirePresent({ id }: Repo): Repo {
    const present = deps.state.repos.get(id)
    if (present !== undefined) return present
    throw new Refusal('not_found', 'Repository not found', {
      hubError: 'RepoNotFound',
      detail: 'it was deleted while the commit came',
    })
  }
}
