import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const prelude = `
import json, os
from huggingface_hub import HfApi, CommitOperationAdd
from huggingface_hub.errors import *
alice = HfApi(token="hf_sandbox_alice")
dave = HfApi(token="hf_sandbox_dave")
def answer(value):
    print(json.dumps(value, default=str))
def refusal(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
`

const sandbox = preparePythonSandbox()
const python = <T>(script: string) => sandbox.run<T>(prelude + script)

describe('discussions of huggingface_hub', () => {
  test('a discussion from its first comment to its end', async () => {
    const seen = await python<Record<string, unknown>>(`
repo = "alice/community"
alice.create_repo(repo)
opened = dave.create_discussion(repo, title="How to load it?", description="It fails.")
seen = {"opened": [opened.num, opened.title, opened.status, opened.author, opened.url]}
reply = alice.comment_discussion(repo, opened.num, "Use **AutoModel**")
seen["reply"] = [reply.type, reply.content, "<strong>" in reply.rendered]
edited = alice.edit_discussion_comment(repo, opened.num, reply.id, "Use AutoModelForCausalLM")
seen["edited"] = [edited.edited, edited.content, len(edited.edit_history)]
hidden = alice.hide_discussion_comment(repo, opened.num, reply.id)
seen["hidden"] = [hidden.hidden, "AutoModel" in hidden.content]
seen["title"] = vars(alice.rename_discussion(repo, opened.num, "Loading"))["new_title"]
seen["status"] = alice.change_discussion_status(repo, opened.num, "closed", comment="Solved").new_status
details = alice.get_discussion_details(repo, opened.num)
seen["events"] = [it.type for it in details.events]
seen["details"] = [details.status, details.title, details.is_pull_request, details.endpoint]
dave.create_discussion(repo, title="Another one")
seen["all"] = [it.num for it in alice.get_repo_discussions(repo)]
seen["open"] = [it.num for it in alice.get_repo_discussions(repo, discussion_status="open")]
seen["of alice"] = [it.num for it in alice.get_repo_discussions(repo, author="alice")]
seen["same status"] = refusal(lambda: alice.change_discussion_status(repo, 1, "closed"))[0]
seen["foreign"] = refusal(lambda: dave.edit_discussion_comment(repo, 1, details.events[1].id, "x"))[0]
answer(seen)`)
    expect(seen).toEqual({
      opened: [
        1,
        'How to load it?',
        'open',
        'dave',
        `${sandbox.url}/alice/community/discussions/1`,
      ],
      reply: ['comment', 'Use **AutoModel**', true],
      edited: [true, 'Use AutoModelForCausalLM', 1],
      hidden: [true, false],
      title: 'Loading',
      status: 'closed',
      events: ['comment', 'comment', 'title-change', 'comment', 'status-change'],
      details: ['closed', 'Loading', false, sandbox.url],
      all: [2, 1],
      open: [2],
      'of alice': [],
      'same status': 'BadRequestError',
      foreign: 'HfHubHTTPError',
    })
  })

  test('a pull request from a reader to its merge', async () => {
    const seen = await python<Record<string, unknown>>(`
repo = "alice/proposals"
alice.create_repo(repo)
made = dave.create_commit(repo, [CommitOperationAdd("a.txt", b"one\\n")], commit_message="Add a.txt", create_pr=True)
seen = {"made": [made.pr_num, made.pr_revision, made.pr_url]}
dave.upload_file(path_or_fileobj=b"two\\n", path_in_repo="b.txt", repo_id=repo, revision=made.pr_revision)
details = alice.get_discussion_details(repo, made.pr_num)
seen["before"] = [details.status, details.target_branch, details.conflicting_files, details.git_reference, details.merge_commit_oid]
seen["events"] = [[it.type, getattr(it, "summary", None)] for it in details.events]
seen["diff"] = details.diff
seen["foreign merge"] = refusal(lambda: dave.merge_pull_request(repo, made.pr_num))[0]
alice.merge_pull_request(repo, made.pr_num, comment="Thank you")
after = alice.get_discussion_details(repo, made.pr_num)
seen["after"] = [after.status, after.merge_commit_oid == alice.model_info(repo).sha, after.diff == details.diff]
seen["files"] = sorted(alice.list_repo_files(repo))
draft = dave.create_pull_request(repo, title="Later")
seen["draft"] = [draft.num, draft.status]
seen["draft merge"] = refusal(lambda: alice.merge_pull_request(repo, draft.num))[0]
seen["opened"] = dave.change_discussion_status(repo, draft.num, "open").new_status
answer(seen)`)
    expect(seen).toMatchObject({
      made: [1, 'refs/pr/1', `${sandbox.url}/alice/proposals/discussions/1`],
      before: ['open', 'refs/heads/main', [], 'refs/pr/1', null],
      events: [
        ['comment', null],
        ['commit', 'Add a.txt'],
        ['commit', 'Upload b.txt with huggingface_hub'],
      ],
      diff: expect.stringMatching(/^diff --git a\/a\.txt b\/a\.txt\n[^]*\+two\n$/),
      'foreign merge': 'HfHubHTTPError',
      after: ['merged', true, true],
      files: ['.gitattributes', 'a.txt', 'b.txt'],
      draft: [2, 'draft'],
      'draft merge': 'BadRequestError',
      opened: 'open',
    })
  })
})

describe('collections of huggingface_hub', () => {
  test('a collection from its first item to its deletion', async () => {
    const seen = await python<Record<string, unknown>>(`
alice.create_repo("alice/collected")
made = alice.create_collection("My models", description="All of them", private=True)
seen = {"made": [made.title, made.private, made.position, made.theme, len(made.items)]}
again = alice.create_collection("My models", exists_ok=True)
seen["again"] = again.slug == made.slug
full = alice.add_collection_item(made.slug, "alice/collected", item_type="model", note="Start here")
item = full.items[0]
seen["item"] = [item.item_id, item.item_type, item.position, item.note]
alice.add_collection_item(made.slug, "acme/corpus", item_type="dataset")
alice.add_collection_item(made.slug, "acme/corpus", item_type="dataset", exists_ok=True)
alice.update_collection_item(made.slug, item.item_object_id, note="Last", position=1)
changed = alice.update_collection_metadata(made.slug, title="Chosen", private=False, theme="purple")
seen["changed"] = [changed.title, changed.theme, changed.slug != made.slug]
seen["old slug"] = alice.get_collection(made.slug).slug == changed.slug
seen["items"] = [[it.item_id, it.note] for it in dave.get_collection(changed.slug).items]
seen["listed"] = [it.slug == changed.slug for it in dave.list_collections(owner="alice", item="datasets/acme/corpus")]
seen["missing"] = refusal(lambda: alice.add_collection_item(made.slug, "alice/none", item_type="model"))[0]
seen["foreign"] = refusal(lambda: dave.delete_collection(changed.slug))[0]
alice.delete_collection_item(changed.slug, item.item_object_id)
alice.delete_collection(changed.slug)
alice.delete_collection(changed.slug, missing_ok=True)
seen["gone"] = refusal(lambda: alice.get_collection(changed.slug))[0]
answer(seen)`)
    expect(seen).toEqual({
      made: ['My models', true, 1, 'orange', 0],
      again: true,
      item: ['alice/collected', 'model', 0, 'Start here'],
      changed: ['Chosen', 'purple', true],
      'old slug': true,
      items: [
        ['acme/corpus', null],
        ['alice/collected', 'Last'],
      ],
      listed: [true],
      missing: 'HfHubHTTPError',
      foreign: 'HfHubHTTPError',
      gone: 'HfHubHTTPError',
    })
  })
})

describe('gated repos of huggingface_hub', () => {
  test('access requests from the question to the decision', async () => {
    const seen = await python<Record<string, unknown>>(`
import urllib.parse, urllib.request
repo = "alice/gated-model"
alice.create_repo(repo)
alice.update_repo_settings(repo, gated="manual")
def reads():
    return refusal(lambda: dave.auth_check(repo))
seen = {"before": reads()[0]}
url = os.environ["HF_ENDPOINT"] + "/" + repo + "/ask-access"
form = urllib.parse.urlencode({"use": "research"}).encode()
asked = urllib.request.Request(url, data=form, headers={"Authorization": "Bearer hf_sandbox_dave"})
seen["asked"] = refusal(lambda: urllib.request.urlopen(asked))
pending = list(alice.list_pending_access_requests(repo))
seen["pending"] = [[it.username, it.email, it.status, it.fields] for it in pending]
alice.accept_access_request(repo, request_id=pending[0].request_id)
seen["accepted"] = [reads(), [it.username for it in alice.list_accepted_access_requests(repo)]]
alice.reject_access_request(repo, "dave", rejection_reason="Too many downloads")
seen["rejected"] = [reads()[0], [it.username for it in alice.list_rejected_access_requests(repo)]]
alice.cancel_access_request(repo, "dave")
seen["cancelled"] = [it.username for it in alice.list_pending_access_requests(repo)]
alice.grant_access(repo, "bob")
seen["granted"] = [[it.username, it.email] for it in alice.list_accepted_access_requests(repo)]
seen["twice"] = refusal(lambda: alice.grant_access(repo, "bob"))[0]
seen["unknown"] = refusal(lambda: alice.accept_access_request(repo, "nobody"))[0]
answer(seen)`)
    expect(seen).toEqual({
      before: 'GatedRepoError',
      // The repo's page, which is for browsers.
      asked: expect.anything(),
      pending: [['dave', 'dave@example.com', 'pending', { use: 'research' }]],
      accepted: [null, ['dave']],
      rejected: ['GatedRepoError', ['dave']],
      cancelled: ['dave'],
      granted: [['bob', null]],
      twice: 'BadRequestError',
      unknown: 'HfHubHTTPError',
    })
  })
})

describe('likes of huggingface_hub', () => {
  test('a like from its list to its end', async () => {
    const seen = await python<Record<string, unknown>>(`
import urllib.request
repo = "alice/liked"
alice.create_repo(repo, repo_type="dataset")
def like(token):
    url = os.environ["HF_ENDPOINT"] + "/api/datasets/" + repo + "/like"
    urllib.request.urlopen(urllib.request.Request(url, method="POST", headers={"Authorization": "Bearer " + token}))
like("hf_sandbox_dave")
like("hf_sandbox_alice")
seen = {"likers": [it.username for it in alice.list_repo_likers(repo, repo_type="dataset")]}
seen["likes"] = dave.list_liked_repos("dave").datasets
seen["own"] = dave.list_liked_repos().user
seen["number"] = alice.dataset_info(repo).likes
dave.unlike(repo, repo_type="dataset")
dave.unlike(repo, repo_type="dataset")
seen["after"] = [dave.list_liked_repos().total, alice.dataset_info(repo).likes]
seen["missing"] = refusal(lambda: dave.unlike("alice/none"))[0]
answer(seen)`)
    expect(seen).toEqual({
      likers: ['alice', 'dave'],
      likes: ['alice/liked'],
      own: 'dave',
      number: 2,
      after: [0, 1],
      missing: 'RepositoryNotFoundError',
    })
  })
})

describe('users and organizations of huggingface_hub', () => {
  test('overviews, followers and members', async () => {
    const seen = await python<Record<string, unknown>>(`
import urllib.request
def follow(path, token):
    url = os.environ["HF_ENDPOINT"] + "/api/" + path + "/follow"
    urllib.request.urlopen(urllib.request.Request(url, method="POST", headers={"Authorization": "Bearer " + token}))
before = alice.get_user_overview("bob")
follow("users/bob", "hf_sandbox_alice")
follow("organizations/acme", "hf_sandbox_dave")
bob = alice.get_user_overview("bob")
seen = {"user": [bob.username, bob.is_pro, bob.user_type, bob.is_following, before.is_following]}
seen["orgs"] = sorted(it.name for it in bob.orgs)
seen["followers"] = [[it.username, it.is_following] for it in alice.list_user_followers("bob")]
seen["following"] = [it.username for it in alice.list_user_following("alice")]
acme = dave.get_organization_overview("acme")
seen["organization"] = [acme.name, acme.plan, acme.num_users, acme.is_following, acme.num_followers]
seen["members"] = sorted(it.username for it in dave.list_organization_members("acme"))
seen["its followers"] = [it.username for it in alice.list_organization_followers("acme")]
seen["missing"] = refusal(lambda: alice.get_user_overview("nobody"))[0]
answer(seen)`)
    expect(seen).toEqual({
      user: ['bob', false, 'user', true, false],
      orgs: ['acme', 'labs'],
      followers: [['alice', false]],
      following: ['bob'],
      organization: ['acme', 'enterprise', 3, true, 1],
      members: ['alice', 'bob', 'carol'],
      'its followers': ['dave'],
      missing: 'HfHubHTTPError',
    })
  })
})
