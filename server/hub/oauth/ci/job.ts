import type { CiJob, CiJobRequest } from '../../../contract/control-publishers.ts'
import type { CiProvider } from '../../../contract/words/ci-words.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { own } from '../../../core/own.ts'
import { repoWebPath } from '../../files/repo-names.ts'
import type { TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import type { State } from '../../../store/state.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { sandboxIssuer } from './issuers.ts'
import { differingClaims } from './match-claims.ts'
import { mintCiToken, signRequestToken } from './mint.ts'

type JobDeps = Pick<OAuthDeps, 'clock' | 'ids' | 'keys' | 'settings' | 'state'>

/** Sets up a CI job: the variables that its provider would set, and what its identity gives access to. */
export async function setUpCiJob(
  deps: JobDeps,
  { provider, claims: given = {}, drill }: CiJobRequest,
): Promise<CiJob> {
  const { issuer, claims, ...intended } = await mintCiToken(deps, { provider, claims: given })
  // A drill is a mistake in the ID tokens; what the job is meant to publish stays the same.
  const { token } =
    drill === undefined ? intended : await mintCiToken(deps, { provider, claims: given, drill })
  const matching = [...deps.state.trustedPublishers.values()].filter(
    (publisher) =>
      publisher.provider === provider &&
      publisher.disabled !== true &&
      differingClaims(publisher, { claims }).length === 0,
  )
  const text = (name: string) => {
    const value = own(claims, name)
    return typeof value === 'string' ? value : ''
  }
  const requestToken =
    provider === 'github'
      ? await signRequestToken(deps, { claims: given, ...omitUndefined({ drill }) })
      : ''
  return {
    issuer,
    variables: {
      CI: 'true',
      ...variablesOf[provider]({
        text,
        token,
        requestToken,
        issuer: sandboxIssuer(deps.settings, provider),
      }),
    },
    claims,
    resources: [...new Set(matching.flatMap((one) => resourceOf(deps.state, one) ?? []))],
  }
}

/** `resource` of the repo or user of a publisher; `undefined` when it was deleted. */
export function resourceOf(
  state: Pick<State, 'repos' | 'users'>,
  { repoId, userId }: TrustedPublisher,
): string | undefined {
  if (userId !== undefined) return state.users.get(userId)?.username
  const repo = repoId === undefined ? undefined : state.repos.get(repoId)
  return repo === undefined ? undefined : repoWebPath(repo.type, repo.name).slice(1)
}

interface JobFacts {
  /** Text of a claim. */
  text: (name: string) => string
  token: string
  requestToken: string
  issuer: string
}

const variablesOf: Readonly<Record<CiProvider, (job: JobFacts) => Record<string, string>>> = {
  github: ({ text, requestToken, issuer }) => ({
    GITHUB_ACTIONS: 'true',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
    GITHUB_REPOSITORY: text('repository'),
    GITHUB_REPOSITORY_OWNER: text('repository_owner'),
    GITHUB_REF: text('ref'),
    GITHUB_REF_NAME: text('ref').replace(/^refs\/(?:heads|tags)\//, ''),
    GITHUB_REF_TYPE: text('ref_type'),
    GITHUB_SHA: text('sha'),
    GITHUB_WORKFLOW: text('workflow'),
    GITHUB_WORKFLOW_REF: text('workflow_ref'),
    GITHUB_EVENT_NAME: text('event_name'),
    GITHUB_ACTOR: text('actor'),
    GITHUB_RUN_ID: text('run_id'),
    GITHUB_RUN_NUMBER: text('run_number'),
    GITHUB_RUN_ATTEMPT: text('run_attempt'),
  }),
  // The job chooses the name of the variable: that of the Hub's documentation, and that which its client reads.
  gitlab: ({ text, token }) => ({
    GITLAB_CI: 'true',
    HF_ID_TOKEN: token,
    HF_OIDC_ID_TOKEN: token,
    CI_PROJECT_ID: text('project_id'),
    CI_PROJECT_PATH: text('project_path'),
    CI_COMMIT_REF_NAME: text('ref'),
    CI_COMMIT_SHA: text('sha'),
    CI_COMMIT_SHORT_SHA: text('sha').slice(0, 8),
    CI_PIPELINE_ID: text('pipeline_id'),
    CI_PIPELINE_SOURCE: text('pipeline_source'),
    CI_JOB_ID: text('job_id'),
  }),
  circleci: ({ text, token }) => ({
    CIRCLECI: 'true',
    CIRCLE_OIDC_TOKEN: token,
    CIRCLE_OIDC_TOKEN_V2: token,
    CIRCLE_PROJECT_ID: text('oidc.circleci.com/project-id'),
    CIRCLE_ORGANIZATION_ID: text('oidc.circleci.com/org-id'),
    CIRCLE_BRANCH: text('oidc.circleci.com/vcs-ref').replace(/^refs\/heads\//, ''),
  }),
  bitbucket: ({ text, token }) => ({
    BITBUCKET_STEP_OIDC_TOKEN: token,
    BITBUCKET_REPO_UUID: text('repositoryUuid'),
    BITBUCKET_PIPELINE_UUID: text('pipelineUuid'),
    BITBUCKET_STEP_UUID: text('stepUuid'),
    BITBUCKET_BRANCH: text('branchName'),
  }),
}
