import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'

const run = promisify(execFile)

/**
 * Unpacks the browser once, before tests in several processes ask for it: the library writes to the place that it starts from,
 * and takes whatever is there for the whole.
 */
export default async function setup(): Promise<void> {
  const path = await chromium.executablePath()
  try {
    await run(path, ['--version'])
  } catch {
    // An earlier run was ended in the middle of it.
    await rm(path)
    await run(await chromium.executablePath(), ['--version'])
  }
}
