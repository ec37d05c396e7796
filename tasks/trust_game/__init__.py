"""The documents of the trust game's tasks.

population   role-plays of all personas, and a model's statements on people like them
conditioned  role-plays by personas who are shown orders of people by trust, the model's own or others
individual   six rounds with one trustee: the game as it is played, and forecasts of a persona's sends

The personas are rows of a dataset; the documents are made from them here, and those of later stages from
the answers to earlier ones (see `otherminds.running.stages`).

Keys of `--metadata` that all of these tasks know:

    personas   "sample", 50 personas of the split test (the default), or a whole split: "train",
               "validation" or "test"; "all" is the split test, and at the individual level the sample
    endowment  the trustor's dollars in each round, 10 by default
    fractions  true where parts of a dollar can be sent; by default whole dollars, as in the paper

Further keys of some of them, with the paper's form as the default:

    ranking_form      "descending", or "ascending": how a ranking is asked for
    order_seed        of the order in which prompts list the levels of an attribute
    prior             whose ranking personas are given: "ranking_in_context", "ranking", "dollar_ranking"
    prior_attributes  "all" orders in one prompt, or a "single" one in each
    perturbation_seed of the choice between imposed orders with the same rank correlation
    forecast_form     "summary" of the rounds before, or the trustee's "rule" alone
"""
