import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const sandbox = preparePythonSandbox()

test('huggingface_hub creates, waits for, calls, moves and deletes an inference endpoint', async () => {
  const seen = await sandbox.run<Record<string, unknown>>(`
import json, os
from huggingface_hub import HfApi, constants
constants.INFERENCE_ENDPOINTS_ENDPOINT = os.environ["HF_ENDPOINT"] + "/v2"
api = HfApi()
endpoint = api.create_inference_endpoint(
    "my-chat", repository="alice/tiny-sentiment", framework="pytorch", task="text-generation",
    accelerator="cpu", vendor="aws", region="us-east-1", type="authenticated",
    instance_size="x2", instance_type="intel-icl", secrets={"KEY": "hush"}, namespace="acme")
seen = {"made": endpoint.status}
endpoint.wait(timeout=60, refresh_every=1)
seen["waited"] = endpoint.status
messages = [{"role": "user", "content": "Hi"}]
seen["text"] = endpoint.client.chat_completion(messages).choices[0].message.content
seen["updated"] = [endpoint.update(instance_size="x4").status, endpoint.raw["compute"]["instanceSize"]]
seen["paused"] = endpoint.pause().status
seen["resumed"] = [endpoint.resume().status, endpoint.resume(running_ok=True).status]
seen["zero"] = endpoint.scale_to_zero().status
seen["list"] = [one.name for one in api.list_inference_endpoints(namespace="*")]
endpoint.delete()
seen["left"] = len(api.list_inference_endpoints(namespace="acme"))
print(json.dumps(seen))`)
  expect(seen).toEqual({
    made: 'pending',
    waited: 'running',
    text: expect.stringMatching(/You wrote: Hi$/),
    updated: ['updating', 'x4'],
    paused: 'paused',
    resumed: ['pending', expect.stringMatching(/^(pending|initializing)$/)],
    zero: 'scaledToZero',
    list: ['my-chat'],
    left: 0,
  })
})
