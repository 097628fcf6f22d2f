// SPDX-License-Identifier: Apache-2.0
// usage: node check_transcripts.mjs TRANSCRIPTS_FOLDER REQUESTS_DEF
// Checks every message of the transcripts, both ways, against the types that the makers of the Debug Adapter Protocol
// publish, and that every request of the adapter occurs.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv from 'ajv';
import * as typescriptJsonSchema from 'typescript-json-schema';

const { buildGenerator, getProgramFromFiles } = typescriptJsonSchema.default ?? typescriptJsonSchema;
const [folder, requestsFile] = process.argv.slice(2);
// The package has no main module.
const require = createRequire(import.meta.url);
const types = path.join(path.dirname(require.resolve('@vscode/debugprotocol/package.json')), 'lib/debugProtocol.d.ts');

// What the types say in comments only: which interface is which command or event.
const source = fs.readFileSync(types, 'utf8');
const interfaces = (kind) => new Map(
  [...source.matchAll(new RegExp(`interface (\\w+) extends \\w+ \\{\\s*// ${kind}: '(\\w+)';`, 'g'))].map(([, name, word]) => [word, name]));
const requests = interfaces('command');
const events = interfaces('event');
if (requests.size < 40 || events.size < 15) throw new Error(`the published types have another form: ${requests.size} requests, ${events.size} events`);

// Members that the protocol does not know are mistakes, except in what the protocol leaves to adapters.
const program = getProgramFromFiles([types], { strictNullChecks: true, skipLibCheck: true });
const generator = buildGenerator(program, { required: true, noExtraProps: true, ref: true, ignoreErrors: true });
const ajv = new Ajv({ strict: false, allErrors: true });
const validators = new Map();

function open(schema) {
  // Modules have what additionalModuleColumns announces; other formats of values are additions of an adapter.
  for (const name of ['LaunchRequestArguments', 'AttachRequestArguments', 'Module', 'ValueFormat']) {
    const definition = schema.definitions?.[`DebugProtocol.${name}`];
    if (definition !== undefined) delete definition.additionalProperties;
  }
  return schema;
}

function problems(name, message) {
  if (!validators.has(name)) validators.set(name, ajv.compile(open(generator.getSchemaForSymbol(`DebugProtocol.${name}`))));
  const validate = validators.get(name);
  return validate(message) ? undefined : ajv.errorsText(validate.errors, { separator: '; ' });
}

function interfaceOf(message) {
  if (message.type === 'request') return requests.get(message.command);
  if (message.type === 'event') return events.get(message.event);
  if (message.success === false) return 'ErrorResponse';
  return requests.get(message.command)?.replace(/Request$/, 'Response');
}

// The check must notice what it is there for: a member that is missing, one that is unknown, one of another type.
const good = { seq: 1, type: 'event', event: 'stopped', body: { reason: 'step', threadId: 1 } };
if (problems('StoppedEvent', good) !== undefined) throw new Error(`a good message is refused: ${problems('StoppedEvent', good)}`);
for (const body of [{ threadId: 1 }, { reason: 'step', thread: 1 }, { reason: 'step', threadId: 'one' }]) {
  if (problems('StoppedEvent', { ...good, body }) === undefined) throw new Error(`a bad message is accepted: ${JSON.stringify(body)}`);
}

let count = 0, wrong = 0;
const seen = { request: new Set(), response: new Set(), event: new Set() };
for (const file of fs.readdirSync(folder).sort()) {
  let last = 0;
  for (const line of fs.readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean)) {
    const message = JSON.parse(line.slice(2));
    // Requests that test what happens to mistakes are mistakes themselves; their answers are checked.
    const name = interfaceOf(message);
    const faults = [];
    if (line.startsWith('<')) {
      if (message.seq !== last + 1) faults.push(`it has the number ${message.seq} after ${last}`);
      last = message.seq;
    }
    ++count;
    seen[message.type]?.add(message.command ?? message.event);
    // Requests of the adapter's own.
    const isOwn = message.command?.startsWith('hloscope/');
    if (isOwn && message.success !== false) continue;
    if (name === undefined && !isOwn) faults.push('the protocol does not know it');
    else if (name !== undefined) {
      const found = problems(name, message);
      if (found !== undefined) faults.push(found);
    }
    if (line.startsWith('>') && faults.length > 0) {
      const answer = fs.readFileSync(path.join(folder, file), 'utf8').split('\n').filter((one) => one.startsWith('<'))
        .map((one) => JSON.parse(one.slice(2))).find((one) => one.request_seq === message.seq);
      if (answer?.success === false) continue;
    }
    if (faults.length === 0) continue;
    ++wrong;
    console.log(`${file}: ${faults.join('; ')}\n  ${line.slice(0, 400)}`);
  }
}

const answered = [...fs.readFileSync(requestsFile, 'utf8').matchAll(/^DAP_REQUEST\("(\w+)"/gm)].map(([, command]) => command);
for (const command of [...answered, 'cancel', 'pause', 'disconnect']) {
  if (seen.request.has(command) && seen.response.has(command)) continue;
  ++wrong;
  console.log(`no transcript has the request ${command}`);
}
for (const event of ['initialized', 'stopped', 'exited', 'terminated', 'thread', 'output', 'breakpoint', 'process', 'invalidated', 'progressStart', 'progressUpdate', 'progressEnd']) {
  if (seen.event.has(event)) continue;
  ++wrong;
  console.log(`no transcript has the event ${event}`);
}
console.log(`${count} messages, ${seen.request.size} requests, ${seen.event.size} events; ${wrong} mistakes`);
process.exit(wrong === 0 && count > 0 ? 0 : 1);
