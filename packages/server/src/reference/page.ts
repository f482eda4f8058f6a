import { type Html, html, trusted } from '@watchpost/status-page'
import { type Answer, type Content, type Document, kindOf, type Operation, resolved, type Schema } from './document.ts'
import { style } from './style.ts'

interface Entry {
  id: string
  method: string
  path: string
  operation: Operation
}

/** The API for people to read: every operation of the document on one page, without a script. Pure. */
export function renderReference(document: Document): string {
  const groups = Map.groupBy(entriesOf(document), ({ operation }) => operation.tags?.[0] ?? '')
  const { info } = document
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>${info.title} API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>${trusted(style)}</style></head><body>
    <nav aria-label="Operations"><p class="brand">${info.title} API ${info.version}</p>
    ${[...groups].map(([tag, entries]) => html`<h2>${tag}</h2><ul>${entries.map(navItem)}</ul>`)}
    <h2>monitor options</h2><ul>${Object.keys(document.components.schemas)
      .filter(name => name.endsWith('Options'))
      .map(name => html`<li><a href="#${name}">${name.replace(/Options$/, '')}</a></li>`)}</ul>
    <h2>events</h2><ul>${Object.keys(document.webhooks).map(name => html`<li><a href="#${name}">${name}</a></li>`)}</ul></nav>
    <main><h1>${info.title} API</h1>${introduction()}
    ${[...groups.values()].flat().map(entry => operationOf(document, entry))}
    ${optionsOf(document)}
    ${Object.entries(document.webhooks).map(([name, { post }]) => eventOf(document, name, post))}
    </main></body></html>`.markup
  }`
}

function entriesOf(document: Document): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId ?? `${method}-${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

const navItem = ({ id, method, operation }: Entry): Html =>
  html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span>${operation.summary}</a></li>`

function introduction(): Html {
  return html`<p>Send a token as <code>Authorization: Bearer wp_api_…</code> and bodies as <code>Content-Type: application/json</code>. This page as data: <a href="/openapi.json">/openapi.json</a>.</p>
    <pre>curl -H "Authorization: Bearer $WATCHPOST_TOKEN" $WATCHPOST_URL/v1/monitors</pre>`
}

function operationOf(document: Document, { id, method, path, operation }: Entry): Html {
  return html`<section id="${id}"><h3>${operation.summary}</h3>
    <p class="route"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></p>
    ${operation.description !== undefined && html`<p>${written(operation.description)}</p>`}
    <p class="who">${whoMay(operation)}</p>
    ${parametersOf(operation)}
    ${operation.requestBody !== undefined && html`<h4>Body</h4>${contentOf(document, operation.requestBody.content)}`}
    ${Object.entries(operation.responses).map(([status, answer]) => answerOf(document, status, answer))}</section>`
}

function eventOf(document: Document, name: string, operation: Operation): Html {
  return html`<section id="${name}"><h3>${name}</h3><p>${operation.summary}</p>
    ${operation.requestBody !== undefined && contentOf(document, operation.requestBody.content)}</section>`
}

/** Settings of each check type: what `options` of a monitor takes. */
function optionsOf(document: Document): Html[] {
  return Object.entries(document.components.schemas)
    .filter(([name]) => name.endsWith('Options'))
    .map(([name, schema]) => {
      const type = name.replace(/Options$/, '')
      return html`<section id="${name}"><h3>Options of a monitor of type ${type}</h3>${fieldsOf(document, schema)}</section>`
    })
}

function whoMay(operation: Operation): string {
  const role = operation['x-role']
  const scope = operation['x-scope']
  if (operation.security?.length === 0) return 'Anybody, without a credential.'
  if (role === undefined) return 'A probe, with its token.'
  return `A token with the role ${role} or above${scope === undefined ? '' : ` and the scope ${scope}`}.`
}

function parametersOf({ parameters = [] }: Operation): Html | false {
  if (parameters.length === 0) return false
  return html`<details><summary>Parameters</summary><table>${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><th>${name}${required && html`<b title="required">*</b>`}</th><td>${place}</td><td>${kindOf(schema)}</td>
        <td>${written(description)}</td></tr>`,
  )}</table></details>`
}

function answerOf(document: Document, status: string, answer: Answer): Html {
  const name = answer.$ref?.split('/').at(-1)
  const { description, content } = name === undefined ? answer : (document.components.responses[name] ?? {})
  // What is refused looks the same everywhere: the body is told once, with the document.
  if (Number(status) >= 300 || content === undefined)
    return html`<p class="refused"><b>${status}</b> ${written(description)}</p>`
  return html`<h4>${status} ${description}</h4>${contentOf(document, content)}`
}

function contentOf(document: Document, content: Content): Html[] {
  return Object.entries(content).map(([media, { schema, example }]) => {
    const shape = resolved(document, schema)
    return html`${media !== 'application/json' && html`<p>${media}</p>`}
      ${shape.properties !== undefined && fieldsOf(document, shape)}
      ${example !== undefined && html`<details><summary>Example</summary><pre>${JSON.stringify(example, null, 2)}</pre></details>`}`
  })
}

/** Text of the document, with what it sets in backticks as code. */
function written(text: string | undefined): Html[] {
  return (text ?? '').split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** Deeper than any body of ours; a schema that contains itself must end somewhere. */
const deepest = 4

function fieldsOf(document: Document, schema: Schema, depth = 0): Html {
  const { properties = {}, required = [] } = schema
  return html`<table>${Object.entries(properties).map(([name, part]) => {
    const inner = innerOf(document, part)
    return html`<tr><th>${name}${required.includes(name) && html`<b title="required">*</b>`}</th><td>${kindOf(part)}</td>
      <td>${written(resolved(document, part).description)}${
        inner !== undefined &&
        depth < deepest &&
        html`<details><summary>Fields</summary>${fieldsOf(document, inner, depth + 1)}</details>`
      }</td></tr>`
  })}</table>`
}

/** The object that a field is, or is a list of. */
function innerOf(document: Document, schema: Schema): Schema | undefined {
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
  return options.map(option => resolved(document, option)).find(({ properties }) => properties !== undefined)
}
