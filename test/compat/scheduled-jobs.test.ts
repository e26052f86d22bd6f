import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const sandbox = preparePythonSandbox()

test('huggingface_hub creates, changes, runs and deletes a scheduled job', async () => {
  const seen = await sandbox.run<Record<string, unknown>>(`
import json
from huggingface_hub import HfApi
api = HfApi()
made = api.create_scheduled_job(
    image="python:3.12", command=["python", "-c", "print(1)"], schedule="@hourly", secrets={"KEY": "hush"})
seen = {"made": [made.schedule, made.suspend, made.status.next_job_run_at.minute]}
api.suspend_scheduled_job(scheduled_job_id=made.id)
seen["suspended"] = api.inspect_scheduled_job(scheduled_job_id=made.id).suspend
api.resume_scheduled_job(scheduled_job_id=made.id)
changed = api.update_scheduled_job_schedule(scheduled_job_id=made.id, schedule="0 9 * * 1")
seen["changed"] = [changed.schedule, changed.status.next_job_run_at.isoweekday()]
job = api.trigger_scheduled_job(scheduled_job_id=made.id)
seen["ran"] = job.id == api.inspect_scheduled_job(scheduled_job_id=made.id).status.last_job.id
labelled = api.update_scheduled_job_labels(scheduled_job_id=made.id, labels={"team": "a"})
seen["listed"] = [one.id == made.id for one in api.list_scheduled_jobs(labels={"team": "a"})]
api.delete_scheduled_job(scheduled_job_id=made.id)
seen["left"] = len(list(api.list_scheduled_jobs()))
print(json.dumps(seen))`)
  expect(seen).toEqual({
    made: ['@hourly', false, 0],
    suspended: true,
    changed: ['0 9 * * 1', 1],
    ran: true,
    listed: [true],
    left: 0,
  })
})
