import { downloadFile, listFiles, spaceInfo } from '@huggingface/hub'

// The sandbox sets it in tests; without it, this is the real Hub.
const { HF_ENDPOINT: hubUrl = 'https://huggingface.co' } = process.env

const model = 'hf-internal-testing/tiny-random-bert'
const dataset = { type: 'dataset', name: 'cornell-movie-review-data/rotten_tomatoes' }
const space = 'gradio/hello_world'

/** Reads everything that an evaluation needs: settings of the model, files of the dataset, the Space that shows it. */
export async function prepare() {
  const config = await downloadFile({ repo: model, path: 'config.json', hubUrl })
  if (config === null) throw new Error(`${model} has no config.json`)
  const files = []
  for await (const { path, size } of listFiles({ repo: dataset, recursive: true, hubUrl })) {
    if (path.endsWith('.parquet')) files.push({ path, size })
  }
  const { sdk } = await spaceInfo({ name: space, hubUrl })
  return { config: JSON.parse(await config.text()), files, sdk }
}
