import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const sandbox = preparePythonSandbox(undefined, ['openai==3.51.0'])

describe('inference by huggingface_hub', () => {
  const python = <T>(script: string) =>
    sandbox.run<T>(`
import json, os
from huggingface_hub import InferenceClient
client = InferenceClient(base_url=os.environ["HF_ENDPOINT"], bill_to="acme")
messages = [{"role": "user", "content": "Hello there"}]
${script}`)

  test('a conversation is completed, at once and as a stream', async () => {
    const seen = await python<{ once: string; parts: string[]; tokens: number }>(`
once = client.chat_completion(messages, model="alice/tiny-sentiment")
stream = client.chat_completion(messages, stream=True, stream_options={"include_usage": True})
chunks = list(stream)
print(json.dumps({
  "once": once.choices[0].message.content,
  "parts": [chunk.choices[0].delta.content for chunk in chunks if chunk.choices],
  "tokens": chunks[-1].usage.total_tokens,
}))`)
    expect(seen.once).toMatch(/You wrote: Hello there$/)
    expect(seen.parts.length).toBeGreaterThan(5)
    expect(seen.parts.join('')).toBe(seen.once)
    expect(seen.tokens).toBeGreaterThan(2)
  })

  test('a model of the provider hf-inference is found and called', async () => {
    const text = await python<string>(`
from huggingface_hub import HfApi, constants
card = b"---\\npipeline_tag: text-generation\\ntags: [conversational]\\n---\\n"
HfApi().create_repo("alice/chat")
HfApi().upload_file(path_or_fileobj=card, path_in_repo="README.md", repo_id="alice/chat")
constants.INFERENCE_PROXY_TEMPLATE = os.environ["HF_ENDPOINT"] + "/{provider}"
client = InferenceClient(provider="hf-inference", model="alice/chat")
print(json.dumps(client.chat_completion(messages).choices[0].message.content))`)
    expect(text).toMatch(/You wrote: Hello there$/)
  })
})

describe('inference by the OpenAI client', () => {
  const python = <T>(script: string) =>
    sandbox.run<T>(`
import json, os, openai
client = openai.OpenAI(base_url=os.environ["HF_ENDPOINT"] + "/v1", api_key=os.environ["HF_TOKEN"], max_retries=0)
${script}`)

  test('a conversation is streamed, and texts are embedded', async () => {
    const seen = await python<{ text: string; length: number; models: string[] }>(`
stream = client.chat.completions.create(
    model="alice/tiny-sentiment:fastest", messages=[{"role": "user", "content": "Hi"}], stream=True)
text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
vectors = client.embeddings.create(model="alice/tiny-sentiment", input=["a", "b"]).data
print(json.dumps({
  "text": text,
  "length": len(vectors[1].embedding),
  "models": [model.id for model in client.models.list()],
}))`)
    expect(seen.text).toMatch(/You wrote: Hi$/)
    expect(seen.length).toBe(384)
    expect(seen.models).toContain('alice/tiny-sentiment')
  })

  test('refusals become the errors of the client', async () => {
    const seen = await python<string[]>(`
def refusal(make):
    try:
        make().chat.completions.create(model="a/b", messages=[{"role": "user", "content": "Hi"}])
    except openai.APIError as error:
        return type(error).__name__
print(json.dumps([
  refusal(lambda: client.with_options(api_key="hf_wrong")),
  refusal(lambda: client.with_options(default_headers={"X-HF-Bill-To": "nobody"})),
]))`)
    expect(seen).toEqual(['AuthenticationError', 'PermissionDeniedError'])
  })
})
