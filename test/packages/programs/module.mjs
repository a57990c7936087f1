import process from "node:process";
import * as sdk from "@msgctl/sdk";
import * as webhooks from "@msgctl/sdk/webhooks";
import { exercise } from "./exercise.mjs";

console.log(JSON.stringify(await exercise(sdk, webhooks, process.argv[2] ?? "")));
