# The null distribution of the signed-rank statistic with ties and zeros, by three rules for zeros, as R's packages have it.
#
#     Rscript signed_rank.R > signed_rank.csv          (R 4.2.2, exactRankTests 0.8-35, coin 1.4-2)
#
# A row: the rule, the differences (whole numbers), V, P(W <= V), P(W >= V), the two-sided p-value. All are of exactRankTests'
# `pperm` on the midranks of the rule; coin's `wilcoxsign_test` has the same two-sided p-value for the rules that it knows, else
# the script stops.
suppressWarnings(suppressMessages(library(coin)))
set.seed(20261118)
number <- function(x) trimws(formatC(x, digits = 15, format = "g"))
cat("zeros,differences,statistic,less,greater,two_sided\n")
for (sample in 1:400) {
  n <- sample.int(45, 1) + 5
  widest <- c(2, 3, 5, 9, 20, 60)[sample.int(6, 1)]
  d <- round(rnorm(n, mean = runif(1, -0.6, 0.6)) * widest / 2)
  if (sum(d != 0) < 2) next
  for (zeros in c("drop", "pratt", "split")) {
    kept <- d
    if (zeros == "drop") kept <- d[d != 0]
    if (zeros == "split" && sum(d == 0) %% 2 == 1) kept <- d[-which(d == 0)[1]]
    ranks <- rank(abs(kept))
    scores <- if (zeros == "pratt") ranks[kept != 0] else ranks
    v <- sum(ranks[kept > 0]) + if (zeros == "split") sum(ranks[kept == 0]) / 2 else 0
    whole <- as.integer(2 * scores)  # doubled midranks
    tail <- function(side) exactRankTests::pperm(2 * v, whole, length(whole), paired = TRUE, alternative = side)
    less <- tail("less")
    greater <- tail("greater")
    two <- min(1, 2 * min(less, greater))
    if (zeros != "split") {
      method <- c(drop = "Wilcoxon", pratt = "Pratt")[[zeros]]
      test <- wilcoxsign_test(d ~ rep(0, n), distribution = "exact", zero.method = method)
      stopifnot(abs(as.numeric(pvalue(test)) - two) < 1e-9)
    }
    cat(zeros, paste(d, collapse = " "), number(v), number(less), number(greater), number(two), sep = ",")
    cat("\n")
  }
}
