import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

/** The last release of the older HTTP library, and releases since then; the newest is that of the other tests. */
const releases = ['0.36.2', '1.0.1', '1.6.0', '2.4.0']
/** Releases before 1.3 call jobs at huggingface.co, whatever `HF_ENDPOINT` says. */
const releasesWithJobs = ['1.6.0', '2.4.0']

const prelude = `
import http.client, json, os
from huggingface_hub import CommitOperationAdd, HfApi
alice, dave = [HfApi(token="hf_sandbox_" + name) for name in ("alice", "dave")]
seen = {}
`

// One script of the whole area, with the calls that all of these releases have.
const script = `
repo = "alice/whole"
def refusal(call):
    try:
        call()
    except Exception as error:
        return error.response.status_code
def post(path, token, body=None):
    "Calls what the client has no function for; a browser would follow the redirect of a page."
    connection = http.client.HTTPConnection(os.environ["HF_ENDPOINT"].split("//")[1])
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", path, body, headers)
    assert connection.getresponse().status < 400

alice.create_repo(repo)
question = dave.create_discussion(repo, title="How to load it?", description="It fails.")
reply = alice.comment_discussion(repo, question.num, "So.")
alice.edit_discussion_comment(repo, question.num, reply.id, "Like **this**.")
alice.hide_discussion_comment(repo, question.num, reply.id)
alice.rename_discussion(repo, question.num, "Loading")
alice.change_discussion_status(repo, question.num, "closed", comment="Solved")
details = dave.get_discussion_details(repo, question.num)
seen["discussion"] = [details.title, details.status, [event.type for event in details.events]]

pull = dave.create_commit(
    repo, [CommitOperationAdd("a.txt", b"one\\n")], commit_message="Add a.txt", create_pr=True)
draft = dave.create_pull_request(repo, title="Later")
before = alice.get_discussion_details(repo, pull.pr_num)
alice.merge_pull_request(repo, pull.pr_num, comment="Thanks")
after = alice.get_discussion_details(repo, pull.pr_num)
seen["pull requests"] = [draft.status, before.status, before.conflicting_files, before.git_reference, after.status]
seen["diff"] = "+one" in before.diff
seen["merged"] = after.merge_commit_oid == alice.model_info(repo).sha
seen["numbers"] = [one.num for one in alice.get_repo_discussions(repo)]
seen["foreign merge"] = refusal(lambda: dave.merge_pull_request(repo, draft.num))

collection = alice.create_collection("Mine", private=True)
item = alice.add_collection_item(collection.slug, repo, item_type="model", note="First").items[0]
alice.update_collection_item(collection.slug, item.item_object_id, note="Read this")
alice.update_collection_metadata(collection.slug, title="Ours", private=False)
shown = dave.get_collection(collection.slug)
seen["collection"] = [shown.title, [[one.item_id, one.note] for one in shown.items]]
seen["listed"] = [one.title for one in dave.list_collections(owner="alice")]
alice.delete_collection(shown.slug)
seen["no collection"] = refusal(lambda: dave.get_collection(shown.slug))

alice.update_repo_settings(repo, gated="manual")
seen["gate"] = [refusal(lambda: dave.auth_check(repo))]
post("/" + repo + "/ask-access", "hf_sandbox_dave", "use=research")
pending = list(alice.list_pending_access_requests(repo))
seen["asked"] = [[one.username, one.fields] for one in pending]
alice.accept_access_request(repo, "dave")
seen["gate"].append(refusal(lambda: dave.auth_check(repo)))
alice.reject_access_request(repo, "dave", rejection_reason="Too many downloads")
alice.cancel_access_request(repo, "dave")
alice.grant_access(repo, "bob")
seen["granted"] = [one.username for one in alice.list_accepted_access_requests(repo)]
alice.update_repo_settings(repo, gated=False)

post("/api/models/" + repo + "/like", "hf_sandbox_dave")
post("/api/users/alice/follow", "hf_sandbox_dave")
seen["likes"] = [[one.username for one in alice.list_repo_likers(repo)], dave.list_liked_repos().models]
dave.unlike(repo)
seen["people"] = [
    alice.get_user_overview("bob").username,
    alice.get_organization_overview("acme").num_users,
    sorted(one.username for one in alice.list_organization_members("acme")),
    [one.username for one in alice.list_user_followers("alice")],
    dave.model_info(repo).likes,
]

space = "alice/whole-space"
alice.create_repo(space, repo_type="space", space_sdk="gradio")
alice.add_space_secret(space, "KEY", "hush")
alice.add_space_variable(space, "MODE", "fast")
seen["space"] = [
    alice.pause_space(space).stage,
    alice.restart_space(space).stage,
    alice.request_space_hardware(space, "t4-small").requested_hardware,
    {key: one.value for key, one in alice.get_space_variables(space).items()},
]

watched = [{"type": "org", "name": "acme"}]
webhook = alice.create_webhook(url="http://127.0.0.1:9/hook", watched=watched, domains=["discussion"])
seen["webhook"] = [alice.disable_webhook(webhook.id).disabled, [one.id == webhook.id for one in alice.list_webhooks()]]
alice.delete_webhook(webhook.id)

alice.create_tag(repo, tag="v1", tag_message="First")
alice.create_branch(repo, branch="next")
seen["refs"] = [
    [[one.name for one in kind] for kind in (refs.branches, refs.tags)]
    for refs in [alice.list_repo_refs(repo)]
][0]
alice.super_squash_history(repo, branch="next")
seen["commits"] = [len(alice.list_repo_commits(repo, revision=name)) for name in ("main", "next")]
print(json.dumps(seen))
`

const jobs = `
job = alice.run_job(image="python:3.12", command=["python", "-c", "print(1)"])
seen["job"] = [
    job.id in [one.id for one in alice.list_jobs()],
    len(list(alice.fetch_job_logs(job_id=job.id))) > 0,
    alice.inspect_job(job_id=job.id).status.stage,
]
scheduled = alice.create_scheduled_job(image="python:3.12", command=["true"], schedule="@hourly")
alice.suspend_scheduled_job(scheduled_job_id=scheduled.id)
seen["scheduled"] = [[one.schedule, one.suspend] for one in alice.list_scheduled_jobs()]
alice.delete_scheduled_job(scheduled_job_id=scheduled.id)
print(json.dumps(seen))
`

describe.each(releases)('huggingface_hub %s', (release) => {
  const sandbox = preparePythonSandbox(release)

  test('discusses, proposes, collects, gates, likes and manages Spaces', async () => {
    expect(await sandbox.run(prelude + script)).toEqual({
      discussion: [
        'Loading',
        'closed',
        ['comment', 'comment', 'title-change', 'comment', 'status-change'],
      ],
      'pull requests': ['draft', 'open', [], 'refs/pr/2', 'merged'],
      diff: true,
      merged: true,
      numbers: [3, 2, 1],
      'foreign merge': 403,
      collection: ['Ours', [['alice/whole', 'Read this']]],
      listed: expect.arrayContaining(['Ours']),
      'no collection': 404,
      gate: [403, null],
      asked: [['dave', { use: 'research' }]],
      granted: ['bob'],
      likes: [['dave'], ['alice/whole']],
      people: ['bob', 3, ['alice', 'bob', 'carol'], ['dave'], 0],
      space: ['PAUSED', 'BUILDING', 't4-small', { MODE: 'fast' }],
      webhook: [true, [true]],
      refs: [['main', 'next'], ['v1']],
      commits: [2, 1],
    })
  }, 120_000)

  test.runIf(releasesWithJobs.includes(release))('runs and schedules jobs', async () => {
    expect(await sandbox.run(prelude + jobs)).toEqual({
      job: [true, true, expect.stringMatching(/^[A-Z]+$/)],
      scheduled: [['@hourly', true]],
    })
  })
})
