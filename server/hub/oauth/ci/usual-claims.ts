import { derivedUuid } from '../../../core/ids.ts'
import { own } from '../../../core/own.ts'
import { type CiProvider, projectClaims } from '../../../contract/words/ci-words.ts'

type Claims = Readonly<Record<string, unknown>>

/** Commit of the job: a fixed one, so that two runs with a seed give the same claims. */
const commit = '0123456789abcdef0123456789abcdef01234567'
const usualBranch = 'main'
export const usualProject = 'acme/publish'

/**
 * Returns the claims of a job on the main branch of a project, in the words of the provider. Claims that contain others,
 * such as `sub`, follow the given ones.
 * @param given claims that were chosen for the job
 * @param jti id of the ID token, for providers that set one
 */
export function usualClaims(provider: CiProvider, given: Claims, jti: string): Claims {
  return builders[provider]((name, usual) => {
    const value = own(given, name)
    return typeof value === 'string' ? value : usual
  }, jti)
}

type Choose = (name: string, usual: string) => string

const builders: Readonly<Record<CiProvider, (choose: Choose, jti: string) => Claims>> = {
  /** @see https://docs.github.com/en/actions/reference/security/oidc */
  github(choose, jti) {
    const repository = choose('repository', usualProject)
    const owner = choose('repository_owner', repository.split('/')[0] ?? '')
    const ref = choose('ref', `refs/heads/${usualBranch}`)
    const workflow = `${repository}/.github/workflows/publish.yml@${ref}`
    const environment = choose('environment', '')
    return {
      jti,
      sub: `repo:${repository}:${environment === '' ? `ref:${ref}` : `environment:${environment}`}`,
      repository,
      repository_id: '700000001',
      repository_owner: owner,
      repository_owner_id: '800000001',
      repository_visibility: 'public',
      ref,
      ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
      ref_protected: 'false',
      base_ref: '',
      head_ref: '',
      sha: commit,
      workflow: 'Publish',
      workflow_ref: workflow,
      workflow_sha: commit,
      job_workflow_ref: workflow,
      job_workflow_sha: commit,
      actor: owner,
      actor_id: '900000001',
      event_name: 'push',
      run_id: '1000000001',
      run_number: '1',
      run_attempt: '1',
      runner_environment: 'github-hosted',
    }
  },
  /** @see https://docs.gitlab.com/ci/secrets/id_token_authentication */
  gitlab(choose, jti) {
    const project = choose('project_path', usualProject)
    const namespace = project.slice(0, Math.max(project.lastIndexOf('/'), 0))
    const ref = choose('ref', usualBranch)
    const refType = choose('ref_type', 'branch')
    return {
      jti,
      sub: `project_path:${project}:ref_type:${refType}:ref:${ref}`,
      namespace_id: '72',
      namespace_path: namespace,
      project_id: '20',
      project_path: project,
      project_visibility: 'public',
      user_id: '1',
      user_login: namespace.split('/')[0] ?? '',
      user_email: 'ci@example.com',
      user_access_level: 'developer',
      pipeline_id: '574',
      pipeline_source: 'push',
      job_id: '302',
      ref,
      ref_type: refType,
      ref_path: `refs/${refType === 'tag' ? 'tags' : 'heads'}/${ref}`,
      ref_protected: 'true',
      runner_id: 1,
      runner_environment: 'gitlab-hosted',
      sha: commit,
      ci_config_ref_uri: `gitlab.com/${project}//.gitlab-ci.yml@refs/heads/${ref}`,
      ci_config_sha: commit,
    }
  },
  /** @see https://circleci.com/docs/openid-connect-tokens/ */
  circleci(choose) {
    const project = choose(projectClaims.circleci, derivedUuid('circleci project', usualProject))
    const organization = derivedUuid('circleci organization', usualProject)
    return {
      sub: `org/${organization}/project/${project}/user/${derivedUuid('circleci user', usualProject)}`,
      'oidc.circleci.com/org-id': organization,
      [projectClaims.circleci]: project,
      'oidc.circleci.com/context-ids': [],
      'oidc.circleci.com/ssh-rerun': false,
      'oidc.circleci.com/vcs-origin': `github.com/${usualProject}`,
      'oidc.circleci.com/vcs-ref': `refs/heads/${usualBranch}`,
    }
  },
  /** @see https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/ */
  bitbucket(choose) {
    const uuid = (kind: string) => `{${derivedUuid(`bitbucket ${kind}`, usualProject)}}`
    const repository = choose(projectClaims.bitbucket, uuid('repository'))
    return {
      sub: `${repository}:${uuid('step')}`,
      workspaceUuid: uuid('workspace'),
      repositoryUuid: repository,
      pipelineUuid: uuid('pipeline'),
      stepUuid: uuid('step'),
      branchName: usualBranch,
    }
  },
}
